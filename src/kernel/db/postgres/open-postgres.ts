import { PostgresDialect, PostgresDriver, type PostgresPool } from 'kysely'
import { Pool, types } from 'pg'
import { createDb, type Database, type Db } from '../database.ts'
import { DatabaseBusy, DatabaseError } from '../database-error.ts'
import { ServerDriver } from './driver.ts'
import { normalizeErrors, toConnectError } from './errors.ts'

export interface PostgresOptions {
  readonly url: string
  readonly connections: number
}

/** `int8` and `numeric`, so that counts and sums are numbers here as they are in SQLite. */
export const numberTypes: readonly number[] = [types.builtins.INT8, types.builtins.NUMERIC]

export function openPostgres({ url, connections }: PostgresOptions): Database {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    // What is asked of a connection goes over without waiting for the answer to what was asked before.
    pipeline: true,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    types: {
      getTypeParser: (type, format) =>
        numberTypes.includes(type) ? Number : types.getTypeParser(type, format),
    },
  })
  // Whoever uses a lost connection is told by the statement, and an idle one is replaced when it is
  // next needed; but an event that nobody hears would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
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

/** As many as wait for a lane of the file. */
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

/** A server has its own reserve of connections, its own cleaning and its own backups. */
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
