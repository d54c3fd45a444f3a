import { crc32 } from 'node:zlib'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'

/** What an index of half numbers can hold. */
const maxDims = 4000

/** Any number will do, as long as every daemon takes the same. */
const buildLockKey = 7_306_019

const prefix = 'memory_search_near_'

/** The index over the vectors of one identity; those are compared one by one where there is none. */
export function vectorIndexName(identity: string): string {
  return `${prefix}${crc32(identity)}`
}

/** The vectors of so many dimensions, as they are indexed. */
export function indexExpression(dims: number, table = ''): RawBuilder<unknown> {
  return sql.raw(`(${table}vector::halfvec(${dims}))`)
}

/**
 * For each identity with so many vectors. Others read and write meanwhile, and one daemon builds at
 * a time; what an earlier one has left unfinished is begun anew.
 */
export async function buildVectorIndexes(
  db: Db,
  { from, signal }: { readonly from: number; readonly signal: AbortSignal },
): Promise<void> {
  const { rows: large } = await sql<{ identity: string; dims: number }>`
    select identity, dims from memory_search_vectors where dims <= ${maxDims}
    group by identity, dims having count(*) >= ${from}`.execute(db)
  const existing = await listIndexes(db)
  const missing = large.filter(({ identity }) => existing.get(vectorIndexName(identity)) !== true)
  if (missing.length === 0) return
  await db.connection().execute(async (connection) => {
    if (!(await tryLock(connection))) return
    await sql`set statement_timeout = 0`.execute(connection)
    const stop = await createCancel(db, connection)
    signal.addEventListener('abort', stop)
    try {
      for (const { identity, dims } of missing) {
        signal.throwIfAborted()
        const name = sql.raw(vectorIndexName(identity))
        await sql`drop index if exists ${name}`.execute(connection)
        await sql`create index concurrently ${name} on memory_search_vectors
          using hnsw (${indexExpression(dims)} halfvec_cosine_ops)
          where identity = ${sql.lit(identity)}`.execute(connection)
      }
    } finally {
      signal.removeEventListener('abort', stop)
      await sql`reset statement_timeout`.execute(connection)
      await sql`select pg_advisory_unlock(${buildLockKey})`.execute(connection)
    }
  })
}

/** Part of a transaction. */
export async function dropOtherIndexes(db: Db, identities: readonly string[]): Promise<void> {
  const used = identities.map(vectorIndexName)
  for (const name of (await listIndexes(db)).keys())
    if (!used.includes(name)) await sql`drop index if exists ${sql.raw(name)}`.execute(db)
}

/**
 * An index is read on until enough of its rows pass the filters, in nearly the right order. The server
 * takes that for so much work that it would compile the statement first, which takes longer.
 */
export async function withIndexSettings<Result>(
  db: Db,
  { isIndexed }: { readonly isIndexed: boolean },
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  if (!isIndexed) return work(db)
  return transaction(db, async (db) => {
    await sql`select set_config('hnsw.iterative_scan', 'relaxed_order', true),
      set_config('hnsw.ef_search', '200', true), set_config('jit', 'off', true)`.execute(db)
    return work(db)
  })
}

/** Whether each is whole. */
async function listIndexes(db: Db): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await sql<{ name: string; whole: boolean }>`
    select relname as name, indisvalid as whole
    from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = 'memory_search_vectors'::regclass
      and starts_with(relname, ${prefix})`.execute(db)
  return new Map(rows.map(({ name, whole }) => [name, whole]))
}

/** What one connection is doing is given up when another asks for that. */
async function createCancel(db: Db, connection: Db): Promise<() => void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)
  const cancel = sql`select pg_cancel_backend(${rows[0]?.pid})`
  // Without that it takes as long as it takes, and is complete then.
  return () => void cancel.execute(db).catch(() => undefined)
}

async function tryLock(db: Db): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_lock(${buildLockKey}) as taken`.execute(db)
  return rows[0]?.taken === true
}
