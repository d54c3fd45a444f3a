import { type AliasableExpression, type SqlBool, sql } from 'kysely'
import { type ReadScope, readableBy } from '../../../kernel/auth/read-scope.ts'
import { compileOnce, compileSelectOnce, withoutIndex } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { executeBatch, type Write } from '../../../kernel/db/execute-batch.ts'
import { scopedSelect } from '../../../kernel/db/scoped-select.ts'
import type { HistoryEvent, Memory } from '../memory.ts'
import type { Access } from './access.ts'
import { insertHistoryQueries } from './history.ts'
import { type MemoryRow, memoryColumns, tables, toMemory, toRow } from './rows.ts'

/** Includes deleted memories; the caller checks `deletedAt`. */
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

/** A memory as sent to clients. */
export interface MemoryRecord extends Memory, Access {
  /** The model of its vector. */
  readonly embeddingModel: string | null
}

type ModelOf = (column: string) => AliasableExpression<string | null>

/** `modelOf` must be pure. */
export function createFindRecord(modelOf: ModelOf) {
  const selectRecord = scopedSelect((db, scope, { id }: ById) =>
    tables(db)
      .selectFrom('memories')
      .select(memoryColumns)
      // With a join, SQLite would plan the statement again for each id.
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

/** Blocks other writes of memories until the end of the transaction. */
export async function lockRevisions(db: Db): Promise<void> {
  await executeBatch(db, [bumpRevision(db, { count: 1 })])
}

/** A live episodic memory of the agent, outside namespaces. */
export async function findEvidence(
  db: Db,
  agentId: string,
  id: string,
): Promise<Memory | undefined> {
  const [memory] = await listEvidence(db, agentId, [id])
  return memory
}

const selectEvidence = compileSelectOnce(
  (db, { agentId, ids }: { readonly agentId: string; readonly ids: readonly string[] }) =>
    tables(db)
      .selectFrom('memories')
      .select(memoryColumns)
      .where('id', 'in', ids)
      .where(({ eb }) => withoutIndex(eb('agentId', '=', agentId)))
      .where('memoryKind', '=', 'episodic')
      .where('scope', 'is', null)
      .where('deletedAt', 'is', null)
      .where('visibility', '!=', 'archived'),
)

/** The live episodic memories of the agent among these ids, outside namespaces. */
export async function listEvidence(
  db: Db,
  agentId: string,
  ids: readonly string[],
): Promise<Memory[]> {
  if (ids.length === 0) return []
  return (await selectEvidence(db, { agentId, ids })).map(toMemory)
}

/** Filters ids to live, readable memories. */
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

/** No read check: for rules between memories, never for a reply. */
export async function findMemory(db: Db, id: string): Promise<Memory | undefined> {
  const row = await tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toMemory(row)
}

/** No read check, as `findMemory`. */
export async function listByIds(db: Db, ids: readonly string[]): Promise<Memory[]> {
  return ids.length === 0 ? [] : (await selectByIds(db, { ids })).map(toMemory)
}

const selectByIds = compileSelectOnce((db, { ids }: { readonly ids: readonly string[] }) =>
  tables(db).selectFrom('memories').select(memoryColumns).where('id', 'in', ids),
)

/** Finds a live duplicate: same source part, else same key, else same content. */
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

/** Rows that are inserted with a new memory. */
interface InsertExtras {
  readonly creationEvent: HistoryEvent
  readonly registering: Write
  readonly vectors: readonly Write[]
}

/**
 * Inserts a memory with its first history event and registers its agent. Returns false and
 * nothing written of the memory, where a live twin is already there: see `findTwin`.
 */
export async function insertMemory(
  db: Db,
  memory: Memory,
  { creationEvent, registering, vectors }: InsertExtras,
): Promise<boolean> {
  const [, , inserted] = await executeBatch(db, [
    bumpRevision(db, { count: 1 }),
    registering,
    insertRow(db, toRow(memory)),
    ...insertHistoryQueries(db, [creationEvent]),
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

/** Optimistic lock: returns false when the version has changed. */
export async function updateMemory(
  db: Db,
  memory: Pick<Memory, 'id' | 'version'>,
  changes: Partial<Memory>,
): Promise<boolean> {
  const [, updated] = await executeBatch(db, updateQueries(db, memory, changes))
  return updated === 1
}

function updateQueries(
  db: Db,
  { id, version }: Pick<Memory, 'id' | 'version'>,
  changes: Partial<Memory>,
): Write[] {
  const update = tables(db)
    .updateTable('memories')
    .set({ ...toRow(changes), revision: lastRevision() })
    .where('id', '=', id)
    .where('version', '=', version)
  return [bumpRevision(db, { count: 1 }), update]
}

/** Signals readers of the feed that a related row has changed. */
export async function updateRevision(db: Db, id: string): Promise<void> {
  const update = tables(db)
    .updateTable('memories')
    .set({ revision: lastRevision() })
    .where('id', '=', id)
  await executeBatch(db, [bumpRevision(db, { count: 1 }), update])
}

/** Locks the counter until the end of the transaction, so revisions appear in order. */
export const bumpRevision = compileOnce((db, { count }: { readonly count: number }) =>
  tables(db)
    .updateTable('memoryRevision')
    .set((eb) => ({ value: eb('value', '+', count) })),
)

/**
 * Reserves one revision for each existing memory, so that a paging reader misses none. Locks
 * the counter until the end of the transaction, which blocks other writes.
 */
export async function reserveRevisions(db: Db) {
  const last = sql<number>`(select coalesce(max(position), 0) from memories)`
  const reserve = tables(db)
    .updateTable('memoryRevision')
    .set((eb) => ({ value: eb('value', '+', last) }))
  await executeBatch(db, [bumpRevision(db, { count: 1 }), reserve])
  return sql<number>`(select value from memory_revision) - ${last} + position`
}

export function lastRevision() {
  return sql<number>`(select value from memory_revision)`
}

/** Matches the expression of the unique indexes, so that they are used. */
function equalsOrNull(column: 'scope' | 'project' | 'sourcePart', value: string | null) {
  return sql<SqlBool>`coalesce(${sql.ref(column)}, '') = ${value ?? ''}`
}

/** Returns the number of new hints. */
export async function insertHints(
  db: Db,
  { id: memoryId, agentId }: Pick<Memory, 'id' | 'agentId'>,
  hints: readonly string[],
): Promise<number> {
  if (hints.length === 0) return 0
  const { numInsertedOrUpdatedRows = 0n } = await tables(db)
    .insertInto('memoryHints')
    .values(hints.map((hint) => ({ memoryId, agentId, hint })))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows)
}
