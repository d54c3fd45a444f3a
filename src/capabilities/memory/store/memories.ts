import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { type ReadScope, readableBy } from '../../../kernel/db/read-scope.ts'
import type { Memory } from '../memory.ts'
import { memoryColumns, tables, toMemory, toRow } from './rows.ts'

/** Deleted or not: for the verb to tell apart. */
export async function findReadable(
  db: Db,
  scope: ReadScope,
  id: string,
): Promise<Memory | undefined> {
  const row = await tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .where('id', '=', id)
    .where(readableBy(scope, 'memories'))
    .executeTakeFirst()
  return row && toMemory(row)
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

/** The live memory of the same source, else of the same key, else of the same words. */
export async function findTwin(db: Db, memory: Memory): Promise<Memory | undefined> {
  const { agentId, visibility, sourceType, sourceId, idempotencyKey, contentHash } = memory
  const inScope = sameOrNone('scope', memory.scope)
  const twins = tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .where('agentId', '=', agentId)
    .where('visibility', '=', visibility)
    .where('deletedAt', 'is', null)
    .where(inScope)
    .limit(1)
  const candidates = [
    sourceId !== null &&
      twins.where('sourceType', '=', sourceType).where('sourceId', '=', sourceId),
    idempotencyKey !== null && twins.where('idempotencyKey', '=', idempotencyKey),
    twins.where('contentHash', '=', contentHash).where(sameOrNone('project', memory.project)),
  ]
  for (const candidate of candidates) {
    const row = candidate && (await candidate.executeTakeFirst())
    if (row) return toMemory(row)
  }
  return undefined
}

/** False, with nothing written, where a live twin is already there: see `findTwin`. */
export async function insertMemory(db: Db, memory: Memory): Promise<boolean> {
  await raiseRevision(db)
  const { numInsertedOrUpdatedRows = 0n } = await tables(db)
    .insertInto('memories')
    .values({ ...toRow(memory), revision: lastRevision() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Writes only over the version that was read; false when somebody else was faster. */
export async function updateMemory(
  db: Db,
  { id, version }: Pick<Memory, 'id' | 'version'>,
  changed: Partial<Memory>,
): Promise<boolean> {
  await raiseRevision(db)
  const { numUpdatedRows } = await tables(db)
    .updateTable('memories')
    .set({ ...toRow(changed), revision: lastRevision() })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Its row stays locked until the end of the transaction, so revisions appear in their order. */
async function raiseRevision(db: Db): Promise<void> {
  await tables(db)
    .updateTable('memoryRevision')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .execute()
}

/**
 * A revision of its own for each memory there is, so that a reader of pages misses none. Holds the
 * counter until the end of the transaction: no memory is added or changed before that.
 */
export async function takeRevisions(db: Db) {
  const last = sql<number>`(select coalesce(max(position), 0) from memories)`
  await raiseRevision(db)
  await tables(db)
    .updateTable('memoryRevision')
    .set((eb) => ({ value: eb('value', '+', last) }))
    .execute()
  return sql<number>`(select value from memory_revision) - ${last} + position`
}

function lastRevision() {
  return sql<number>`(select value from memory_revision)`
}

/** As the unique indexes have it, so that they are used. */
function sameOrNone(column: 'scope' | 'project', value: string | null) {
  return sql<SqlBool>`coalesce(${sql.ref(column)}, '') = ${value ?? ''}`
}
