import { crc32 } from 'node:zlib'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { DatabaseBusy, DatabaseError, DatabaseLost } from '../../../kernel/db/database-error.ts'
import { transaction } from '../../../kernel/db/transaction.ts'

/** The limit of HNSW with half-precision vectors. */
const maxDims = 4000

/** An arbitrary number that all daemons share. */
const buildLockKey = 7_306_019

const prefix = 'memory_search_near_'

/** The name of the vector index of a model; without one, vectors are scanned. */
export function vectorIndexName(identity: string): string {
  return `${prefix}${crc32(identity)}`
}

/** The indexed expression for vectors of this size. */
export function indexExpression(dims: number, table = ''): RawBuilder<unknown> {
  return sql.raw(`(${table}vector::halfvec(${dims}))`)
}

/**
 * Builds an index for each model with enough vectors, concurrently with other work; one daemon at a
 * time. An unfinished index is rebuilt.
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

/** Must run in a transaction. */
export async function dropOtherIndexes(db: Db, identities: readonly string[]): Promise<void> {
  const used = identities.map(vectorIndexName)
  for (const name of (await listIndexes(db)).keys())
    if (!used.includes(name)) await sql`drop index if exists ${sql.raw(name)}`.execute(db)
}

/**
 * Index scans continue until enough rows pass the filters, in relaxed order. JIT is off: compiling
 * takes longer than the query.
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

/** Maps index names to validity. */
async function listIndexes(db: Db): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await sql<{ name: string; whole: boolean }>`
    select relname as name, indisvalid as whole
    from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = 'memory_search_vectors'::regclass
      and starts_with(relname, ${prefix})`.execute(db)
  return new Map(rows.map(({ name, whole }) => [name, whole]))
}

/** Cancels the running statement of a connection from another one. */
async function createCancel(db: Db, connection: Db): Promise<() => void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)
  const cancel = sql`select pg_cancel_backend(${rows[0]?.pid})`
  // If the cancel fails, the build runs to its end.
  return () => void cancel.execute(db).catch(() => undefined)
}

async function tryLock(db: Db): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_lock(${buildLockKey}) as taken`.execute(db)
  return rows[0]?.taken === true
}

/** The first version with half-precision vectors and iterative index scans. */
const minVersion = { major: 0, minor: 8, name: '0.8' }

const install = `install pgvector ${minVersion.name} or later on the server`
const update = 'run "alter extension vector update" in the database'

/** Creates the extension if allowed; returns undefined if it exists, else the problem with its remedy. */
export async function openExtension(db: Db): Promise<string | undefined> {
  const { made, available } = await readVersions(db)
  if (available === undefined) return `the server has no pgvector: ${install}`
  const isOutdated = isOlder(available)
  if (made !== undefined && isOlder(made))
    return `pgvector is ${made}: ${isOutdated ? `${install}, and then ${update}` : update}`
  if (made !== undefined) return undefined
  return isOutdated ? `pgvector is ${available}: ${install}` : createExtension(db)
}

async function createExtension(db: Db): Promise<string | undefined> {
  try {
    await sql`create extension if not exists vector`.execute(db)
    return undefined
  } catch (error) {
    if (!isServerError(error)) throw error
    return `${error.message}: a privileged user must run "create extension vector" in the database`
  }
}

/** Errors of the statement, not of the connection. */
function isServerError(error: unknown): error is DatabaseError {
  return (
    error instanceof DatabaseError &&
    !(error instanceof DatabaseLost || error instanceof DatabaseBusy)
  )
}

interface Versions {
  /** The version in this database. */
  readonly made: string | undefined
  /** The version available on the server. */
  readonly available: string | undefined
}

async function readVersions(db: Db): Promise<Versions> {
  const { rows } = await sql<{ made: string | null; available: string | null }>`
    select (select extversion from pg_extension where extname = 'vector') as made,
      (select default_version from pg_available_extensions where name = 'vector') as available
    `.execute(db)
  const [row] = rows
  return { made: row?.made ?? undefined, available: row?.available ?? undefined }
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major === minVersion.major && minor < minVersion.minor
}
