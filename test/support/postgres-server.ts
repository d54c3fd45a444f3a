import { Client } from 'pg'
import { startInMemory } from './postgres-in-memory.ts'

export interface PostgresServer {
  readonly url: string
  /** Closes all connections, as a server restart does. */
  cutOff(): Promise<void>
  stop(): Promise<void>
}

/** Creates a PostgreSQL database: on the server at SVC_TEST_POSTGRES_URL, otherwise in memory. */
export function startPostgres(): Promise<PostgresServer> {
  const { SVC_TEST_POSTGRES_URL: server } = process.env
  return server ? makeDatabase(server) : startInMemory()
}

const made = { databases: 0 }

/** Reuses what a killed run left behind. */
async function makeDatabase(server: string): Promise<PostgresServer> {
  const name = `reverie_daemon_${process.env['VITEST_POOL_ID']}_${made.databases++}`
  const drop = `drop database if exists ${name} with (force)`
  await run(server, [drop, `create database ${name}`])
  return {
    url: Object.assign(new URL(server), { pathname: name }).href,
    cutOff: () =>
      run(server, [
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      ]),
    stop: () => run(server, [drop]),
  }
}

async function run(server: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
