import { type AliasableExpression, type SqlBool, sql } from 'kysely'
import { type ReadScope, readableBy } from '../../../kernel/auth/read-scope.ts'
import { compileOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { executeBatch, type Write } from '../../../kernel/db/execute-batch.ts'
import { scopedSelect } from '../../../kernel/db/scoped-select.ts'
import { withoutIndex } from '../../../kernel/db/without-index.ts'
import type { HistoryEvent } from '../history-event.ts'
import type { Memory } from '../memory.ts'
import type { Access } from './access.ts'
import { insertHistoryQuery } from './history.ts'
import { type MemoryRow, memoryColumns, tables, toMemory, toRow } from './rows.ts'

/** Deleted or not: for the verb to tell apart. */
export async function findReadable(
  db: Db,
  scope: ReadScope,
  id: string,
): Promise<Memory | undefined> {
  const [row] = await selectReadable(db, scope, { id })
  return row && toMemory(row)
}

interface ById {
  readonly id: string
}

const selectReadable = scopedSelect((db, scope, { id }: ById) =>
  tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .where('id', '=', id)
    .where(readableBy(scope, 'memories')),
)

/** The same as whoever asks for it is told. */
export interface MemoryRecord extends Memory, Access {
  /** The name of the model by whose vector it is found. */
  readonly embeddingModel: string | null
}

type ModelOf = (column: string) => AliasableExpression<string | null>

/** `modelOf` always says the same of the same column. */
export function createFindRecord(modelOf: ModelOf) {
  const selectRecord = scopedSelect((db, scope, { id }: ById) =>
    tables(db)
      .selectFrom('memories')
      .select(memoryColumns)
      // With a join SQLite would plan it anew for each id.
      .select((eb) => {
        const access = eb
          .selectFrom('memoryAccess')
          .whereRef('memoryAccess.memoryId', '=', 'memories.id')
        return [
          access.select('memoryAccess.accessCount').as('accessCount'),
          access.select('memoryAccess.lastAccessed').as('lastAccessed'),
        ]
      })
      .select(modelOf('memories.id').as('embeddingModel'))
      .where('memories.id', '=', id)
      .where(readableBy(scope, 'memories')),
  )
  return async (db: Db, scope: ReadScope, id: string): Promise<MemoryRecord | undefined> => {
    const [row] = await selectRecord(db, scope, { id })
    if (!row) return undefined
    const { accessCount, lastAccessed, embeddingModel, ...memory } = row
    return { ...toMemory(memory), accessCount: accessCount ?? 0, lastAccessed, embeddingModel }
  }
}

/** Those of these memories that are live and in the reader's sight. */
export async function listVisible(
  db: Db,
  scope: ReadScope,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tables(db)
    .selectFrom('memories')
    .select('id')
    .where('id', 'in', ids)
    .where('deletedAt', 'is', null)
    .where(withoutIndex(readableBy(scope, 'memories')))
    .execute()
  return rows.map(({ id }) => id)
}

/** Whoever may read it: for the rules between memories, never for an answer by itself. */
export async function findMemory(db: Db, id: string): Promise<Memory | undefined> {
  const row = await tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toMemory(row)
}

/** The live memory of the same part of the same source, else of the same key, else of the same words. */
export async function findDuplicate(db: Db, memory: Memory): Promise<Memory | undefined> {
  const { agentId, visibility, sourceType, sourceId, idempotencyKey, contentHash } = memory
  const isSamePart = equalsOrNull('sourcePart', memory.sourcePart)
  const isSameScope = equalsOrNull('scope', memory.scope)
  const duplicates = tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .where('agentId', '=', agentId)
    .where('visibility', '=', visibility)
    .where('deletedAt', 'is', null)
    .where(isSameScope)
    .limit(1)
  const candidates = [
    sourceId !== null &&
      duplicates
        .where('sourceType', '=', sourceType)
        .where('sourceId', '=', sourceId)
        .where(isSamePart),
    idempotencyKey !== null && duplicates.where('idempotencyKey', '=', idempotencyKey),
    duplicates
      .where('contentHash', '=', contentHash)
      .where(equalsOrNull('project', memory.project)),
  ]
  for (const candidate of candidates) {
    const row = candidate && (await candidate.executeTakeFirst())
    if (row) return toMemory(row)
  }
  return undefined
}

/** What is written with a new memory. */
interface InsertExtras {
  readonly created: HistoryEvent
  readonly registering: Write
  readonly vectors: readonly Write[]
}

/**
 * A memory with the first line of its history, by an agent that is registered with it. False, with
 * nothing written of the memory, where a live twin is already there: see `findTwin`.
 */
export async function insertMemory(
  db: Db,
  memory: Memory,
  { created, registering, vectors }: InsertExtras,
): Promise<boolean> {
  const [, , inserted] = await executeBatch(db, [
    bumpRevision(db, {}),
    registering,
    insertRow(db, toRow(memory)),
    insertHistoryQuery(db, created),
    ...vectors,
  ])
  return inserted === 1
}

const insertRow = compileOnce((db, row: MemoryRow) =>
  tables(db)
    .insertInto('memories')
    .values({ ...row, revision: lastRevision() })
    .onConflict((conflict) => conflict.doNothing()),
)

/** Writes only over the version that was read; false when somebody else was faster. */
export async function updateMemory(
  db: Db,
  { id, version }: Pick<Memory, 'id' | 'version'>,
  changed: Partial<Memory>,
): Promise<boolean> {
  const update = tables(db)
    .updateTable('memories')
    .set({ ...toRow(changed), revision: lastRevision() })
    .where('id', '=', id)
    .where('version', '=', version)
  const [, updated] = await executeBatch(db, [bumpRevision(db, {}), update])
  return updated === 1
}

/** For those who keep a copy: something that stands beside the row has changed. */
export async function updateRevision(db: Db, id: string): Promise<void> {
  const update = tables(db)
    .updateTable('memories')
    .set({ revision: lastRevision() })
    .where('id', '=', id)
  await executeBatch(db, [bumpRevision(db, {}), update])
}

/** Its row stays locked until the end of the transaction, so revisions appear in their order. */
const bumpRevision = compileOnce((db, _nothing: object) =>
  tables(db)
    .updateTable('memoryRevision')
    .set((eb) => ({ value: eb('value', '+', 1) })),
)

/**
 * A revision of its own for each memory there is, so that a reader of pages misses none. Holds the
 * counter until the end of the transaction: no memory is added or changed before that.
 */
export async function reserveRevisions(db: Db) {
  const last = sql<number>`(select coalesce(max(position), 0) from memories)`
  const reserve = tables(db)
    .updateTable('memoryRevision')
    .set((eb) => ({ value: eb('value', '+', last) }))
  await executeBatch(db, [bumpRevision(db, {}), reserve])
  return sql<number>`(select value from memory_revision) - ${last} + position`
}

function lastRevision() {
  return sql<number>`(select value from memory_revision)`
}

/** As the unique indexes have it, so that they are used. */
function equalsOrNull(column: 'scope' | 'project' | 'sourcePart', value: string | null) {
  return sql<SqlBool>`coalesce(${sql.ref(column)}, '') = ${value ?? ''}`
}
