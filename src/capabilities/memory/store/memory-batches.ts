import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Write } from '../../../kernel/db/execute-batch.ts'
import { insertRowsQuery, updateRowsQuery } from '../../../kernel/db/row-writes.ts'
import type { Memory } from '../memory.ts'
import { bumpRevision, lastRevision } from './memories.ts'
import { toRow } from './rows.ts'

/** The revision of a row of a batch is its distance from the last one. */
const fromLastRevision = { revision: (distance: object) => sql`${lastRevision()} - ${distance}` }
const insertedRows = { table: 'memories', expressions: fromLastRevision, skipsConflicts: true }

/** Inserts memories, each with its own revision. Equal ones are not inserted. */
export function insertMemoriesQueries(db: Db, memories: readonly Memory[]): Write[] {
  if (memories.length === 0) return []
  const rows = memories.map(toRow).map(addDistance)
  const bump = bumpRevision(db, { count: rows.length })
  return [bump, insertRowsQuery(db, insertedRows, rows)]
}

function addDistance<Row>(row: Row, at: number, { length }: { readonly length: number }) {
  return { ...row, revision: length - 1 - at }
}

const updatedRows = {
  table: 'memories',
  keys: ['id', 'version'],
  expressions: { ...fromLastRevision, version: (version: object) => sql`${version} + 1` },
}

interface RowChange {
  /** The stored row; a row of another version does not change. */
  readonly memory: Pick<Memory, 'id' | 'version'>
  readonly set: Partial<Memory>
}

/** Changes memories and raises their versions, each with its own revision. */
export function updateMemoriesQueries(db: Db, changes: readonly RowChange[]): Write[] {
  if (changes.length === 0) return []
  const rows = changes
    .map(({ memory: { id, version }, set }) => ({ ...toRow(set), id, version }))
    .map(addDistance)
  const byColumns = Map.groupBy(rows, (row) => Object.keys(row).join(' '))
  return [
    bumpRevision(db, { count: rows.length }),
    ...[...byColumns.values()].map((part) => updateRowsQuery(db, updatedRows, part)),
  ]
}
