import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { Client } from 'pg'

export interface PostgresServer {
  readonly url: string
  stop(): Promise<void>
}

/**
 * How many connections the daemon may open. The server here hands one session round among them, so
 * that what two prepare at once would overwrite each other.
 */
export const mostConnections = 1

/** The last of a daemon that is ending, and the first of the next. */
const connectionsAtOnce = 8

/** A PostgreSQL of one's own, in memory, at a free port of this machine. */
export async function startPostgres(): Promise<PostgresServer> {
  const db = await PGlite.create({ extensions: { vector } })
  const server = new PGLiteSocketServer({
    db,
    host: '127.0.0.1',
    port: 0,
    maxConnections: connectionsAtOnce,
  })
  await server.start()
  return {
    url: `postgres://postgres@${server.getServerConn()}/postgres?sslmode=disable`,
    stop: async () => {
      await server.stop()
      await db.close()
    },
  }
}

/** For several daemons: the server at SVC_TEST_POSTGRES_URL, emptied, or one in memory. */
export async function sharedPostgres(): Promise<PostgresServer & { readonly connections: number }> {
  const { SVC_TEST_POSTGRES_URL: url } = process.env
  if (!url) return { ...(await startPostgres()), connections: mostConnections }
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  await client.end()
  return { url, connections: 10, stop: () => Promise.resolve() }
}
