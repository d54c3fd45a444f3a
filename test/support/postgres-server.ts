import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

export interface PostgresServer {
  readonly url: string
  stop(): Promise<void>
}

/** How many connections the daemon may open: its server here hands one session round among them. */
export const mostConnections = 4

/** A PostgreSQL of one's own, in memory, at a free port of this machine. */
export async function startPostgres(): Promise<PostgresServer> {
  const db = await PGlite.create()
  const server = new PGLiteSocketServer({
    db,
    host: '127.0.0.1',
    port: 0,
    maxConnections: mostConnections * 2,
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
