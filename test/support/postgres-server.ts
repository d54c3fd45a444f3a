import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

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
  const db = await PGlite.create()
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
