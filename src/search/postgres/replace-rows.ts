import type { Db } from '../../kernel/db/database.ts'
import { type IndexedRow, toPieces } from './indexed-row.ts'
import { type Field, fields } from './store/rows.ts'
import { updateState } from './store/state.ts'
import {
  addTerms,
  addToField,
  deleteNames,
  type HadRow,
  insertNames,
  insertRows,
  takeRows,
} from './store/texts.ts'

/** Puts what the feed has told in place of what was there, and keeps the counts in step. */
export async function putRows(db: Db, told: readonly IndexedRow[]): Promise<void> {
  const had = await takeRows(
    db,
    told.map(({ id }) => id),
  )
  const kept = told.flatMap(({ kept }) => (kept ? [kept] : []))
  await insertRows(
    db,
    kept.map(({ row }) => row),
  )
  const counts = createCounts()
  for (const row of had) counts.add(toTexts(row), -1)
  for (const { row, words, hints } of kept) counts.add(toTexts({ ...row, words, hints }), 1)
  await addTerms(db, counts.terms())
  for (const change of counts.fields()) await addToField(db, change)
  await insertNames(
    db,
    kept.flatMap(({ names, row: { who } }) => names.map((word) => ({ word, who }))),
  )
  await deleteNames(db, [...new Set(had.map(({ who }) => who))])
  const live = countLive(kept.map(({ row }) => row)) - countLive(had)
  await updateState(db, { live })
}

interface Text {
  readonly field: Field
  readonly terms: readonly (string | number)[]
  readonly length: number
}

type Texts = Pick<HadRow, 'words' | 'wordsLength' | 'hints' | 'hintsLength'> &
  Pick<HadRow, 'pieces' | 'piecesLength'>

function toTexts(row: Texts): Text[] {
  return [
    { field: 'words', terms: row.words, length: row.wordsLength },
    { field: 'hints', terms: row.hints, length: row.hintsLength },
    { field: 'pieces', terms: [...toPieces(row.pieces)], length: row.piecesLength },
  ]
}

/** What comes and goes again leaves nothing to be written. */
function createCounts() {
  const terms = new Map<Field, Map<string, number>>(fields.map((field) => [field, new Map()]))
  const totals = new Map(fields.map((field) => [field, { texts: 0, length: 0 }]))
  return {
    add: (texts: readonly Text[], by: 1 | -1) => {
      for (const { field, terms: held, length } of texts) {
        const changes = terms.get(field)
        for (const term of held) changes?.set(String(term), (changes.get(String(term)) ?? 0) + by)
        const total = totals.get(field)
        if (!total || length === 0) continue
        total.texts += by
        total.length += by * length
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
