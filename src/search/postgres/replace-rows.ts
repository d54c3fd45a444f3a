import type { Db } from '../../kernel/db/database.ts'
import { decodeTokens, type IndexedRow } from './indexed-row.ts'
import { type Field, fields } from './store/rows.ts'
import { updateState } from './store/state.ts'
import {
  changeFieldTotals,
  changeTermCounts,
  type DeletedRow,
  deleteNames,
  deleteRows,
  insertNames,
  insertRows,
} from './store/texts.ts'

/** Replaces the rows of changed memories and updates all counts. */
export async function replaceRows(db: Db, changedRows: readonly IndexedRow[]): Promise<void> {
  const oldRows = await deleteRows(
    db,
    changedRows.map(({ id }) => id),
  )
  const newRows = changedRows.flatMap(({ content: newRows }) => (newRows ? [newRows] : []))
  await insertRows(
    db,
    newRows.map(({ row }) => row),
  )
  const counts = createCountChanges()
  for (const row of oldRows) counts.add(toTexts(row), -1)
  for (const { row, words, hints } of newRows) counts.add(toTexts({ ...row, words, hints }), 1)
  await changeTermCounts(db, counts.terms())
  for (const change of counts.fields()) await changeFieldTotals(db, change)
  await insertNames(
    db,
    newRows.flatMap(({ names, row: { who } }) => names.map((word) => ({ word, who }))),
  )
  await deleteNames(db, [...new Set(oldRows.map(({ who }) => who))])
  const live = countLive(newRows.map(({ row }) => row)) - countLive(oldRows)
  await updateState(db, { live })
}

interface Text {
  readonly field: Field
  readonly terms: readonly (string | number)[]
  readonly length: number
}

type Texts = Pick<DeletedRow, 'words' | 'wordsLength' | 'hints' | 'hintsLength'> &
  Pick<DeletedRow, 'pieces' | 'piecesLength'>

function toTexts(row: Texts): Text[] {
  return [
    { field: 'words', terms: row.words, length: row.wordsLength },
    { field: 'hints', terms: row.hints, length: row.hintsLength },
    { field: 'pieces', terms: [...decodeTokens(row.pieces)], length: row.piecesLength },
  ]
}

/** Opposite changes cancel out. */
function createCountChanges() {
  const terms = new Map<Field, Map<string, number>>(fields.map((field) => [field, new Map()]))
  const totals = new Map(fields.map((field) => [field, { texts: 0, length: 0 }]))
  return {
    add: (texts: readonly Text[], sign: 1 | -1) => {
      for (const { field, terms: held, length } of texts) {
        const changes = terms.get(field)
        for (const term of held) changes?.set(String(term), (changes.get(String(term)) ?? 0) + sign)
        const total = totals.get(field)
        if (!total || length === 0) continue
        total.texts += sign
        total.length += sign * length
      }
    },
    terms: () =>
      [...terms].flatMap(([field, changes]) =>
        [...changes].flatMap(([term, change]) => (change === 0 ? [] : [{ field, term, change }])),
      ),
    fields: () =>
      [...totals]
        .map(([field, total]) => ({ field, ...total }))
        .filter(({ texts, length }) => texts !== 0 || length !== 0),
  }
}

function countLive(rows: readonly { readonly deleted: number }[]): number {
  return rows.filter(({ deleted }) => deleted === 0).length
}
