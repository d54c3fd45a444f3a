import { PostgresDialect, PostgresDriver, type PostgresPool, sql } from 'kysely'
import { Pool, types } from 'pg'
import { createDb, type Database, type Db } from '../database.ts'
import { DatabaseBusy, DatabaseError } from '../database-error.ts'
import { ServerDriver } from './driver.ts'
import { normalizeErrors, toConnectError } from './errors.ts'
import { usePreparedStatements } from './prepared-statements.ts'

export interface PostgresOptions {
  readonly url: string
  readonly connections: number
}

/** Parses `int8` and `numeric` to numbers, as in SQLite. */
export const numberTypes: readonly number[] = [types.builtins.INT8, types.builtins.NUMERIC]

export function openPostgres({ url, connections }: PostgresOptions): Database {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    // Pipelining: a query is sent before the previous one is answered.
    pipeline: true,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    types: {
      getTypeParser: (type, format) =>
        numberTypes.includes(type) ? Number : types.getTypeParser(type, format),
    },
  })
  // Statements report a lost connection, and idle ones are replaced on use. Without a listener the
  // event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    usePreparedStatements(client)
  })
  const config = { pool: bounded(pool), onCreateConnection: normalizeErrors }
  const driver = new ServerDriver(new PostgresDriver(config), maxQueued)
  const dialect = Object.assign(new PostgresDialect(config), { createDriver: () => driver })
  const database = onServer(createDb(dialect))
  const waiting = () => pool.waitingCount + driver.groupCommit.waiting()
  return {
    ...database,
    lanes: () => [{ name: 'server', alive: pool.totalCount, waiting: waiting() }],
  }
}

/** Same limit as for a SQLite thread. */
const maxQueued = 10_000

function bounded(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => {
      if (pool.waitingCount >= maxQueued)
        throw new DatabaseBusy(`${pool.waitingCount} statements are waiting already.`, 'QUEUE_FULL')
      try {
        return await pool.connect()
      } catch (error) {
        throw toConnectError(error)
      }
    },
    end: () => pool.end(),
  }
}

/** Database of a server, which has its own maintenance and backups. */
export function onServer(db: Db): Database {
  return {
    engine: 'postgres',
    db,
    background: db,
    maintain: async () => ({ pagesFreed: 0, walPages: 0 }),
    backup: async () => {
      throw new DatabaseError('The server has backups of its own.', 'UNSUPPORTED')
    },
    lanes: () => [],
    close: () => db.destroy(),
  }
}

interface ServerProperties {
  readonly encoding: string
  readonly schema: string | null
  readonly mayCreate: boolean | null
  readonly role: string
}

/** Refuses a server with the wrong version or encoding before anything is created. @throws {DatabaseError} */
export async function assertServerSupported(db: Db): Promise<void> {
  const { rows } =
    await sql<ServerProperties>`select current_setting('server_encoding') as encoding,
    current_schema() as schema, current_user as role,
    has_schema_privilege(current_schema(), 'create') as may_create`.execute(db)
  const [{ encoding = '', schema = null, mayCreate = null, role = '' } = {}] = rows
  if (encoding !== 'UTF8')
    throw new DatabaseError(
      `The database is in ${encoding}, and memories are in any script: make it with encoding 'UTF8' and template template0.`,
      'WRONG_ENCODING',
    )
  if (mayCreate !== true)
    throw new DatabaseError(
      `The role ${role} may make no tables: let it own the database, or grant usage, create on schema ${schema ?? 'public'} to it.`,
      '42501',
    )
}
