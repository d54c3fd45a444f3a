import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { Client } from 'pg'

export interface PostgresServer {
  readonly url: string
  /** How many connections a daemon may open. */
  readonly connections: number
  stop(): Promise<void>
}

/** A PostgreSQL of one's own: a database of the server at SVC_TEST_POSTGRES_URL, else one in memory. */
export function startPostgres(): Promise<PostgresServer> {
  const { SVC_TEST_POSTGRES_URL: server } = process.env
  return server ? makeDatabase(server) : startInMemory()
}

/** The last of a daemon that is ending, and the first of the next. */
const connectionsAtOnce = 8

/** What a new server has on its disk; made once, because that takes longer than all else. */
const newDisk: { ready?: Promise<File | Blob> } = {}

async function makeDisk(): Promise<File | Blob> {
  const db = await PGlite.create()
  const disk = await db.dumpDataDir('none')
  await db.close()
  return disk
}

/** At a free port of this machine. */
async function startInMemory(): Promise<PostgresServer> {
  newDisk.ready ??= makeDisk()
  const db = await PGlite.create({ extensions: { vector }, loadDataDir: await newDisk.ready })
  const server = new PGLiteSocketServer({
    db,
    host: '127.0.0.1',
    port: 0,
    maxConnections: connectionsAtOnce,
  })
  await server.start()
  return {
    url: `postgres://postgres@${server.getServerConn()}/postgres?sslmode=disable`,
    // One session is handed round among them, so that what two prepare at once would overwrite each other.
    connections: 1,
    stop: async () => {
      await server.stop()
      await db.close()
    },
  }
}

const made = { databases: 0 }

/** What a run that was killed has left behind the next one takes over. */
async function makeDatabase(server: string): Promise<PostgresServer> {
  const name = `reverie_daemon_${process.env['VITEST_POOL_ID']}_${made.databases++}`
  const drop = `drop database if exists ${name} with (force)`
  await run(server, [drop, `create database ${name}`])
  return {
    url: Object.assign(new URL(server), { pathname: name }).href,
    connections: 5,
    stop: () => run(server, [drop]),
  }
}

async function run(server: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
