import { workerData } from 'node:worker_threads'
import { openPostgres } from '../../../kernel/db/postgres/open-postgres.ts'
import { realHost } from '../../../kernel/host/host.ts'
import { createIndexEngine } from '../../embedded/thread/index-engine.ts'
import { serveEngine } from '../../thread/serve-engine.ts'
import { createPostgresEngine } from '../postgres-engine.ts'
import type { ServerWorkerOptions } from '../server-engine.ts'
import { createServerConnection } from '../store/feed-connection.ts'

const { server, feeds, model, snapshot }: ServerWorkerOptions = workerData
const database = openPostgres(server)
serveEngine((listeners) => {
  const needs = { ...listeners, host: realHost }
  if (snapshot) {
    const connection = createServerConnection(database, feeds)
    return createIndexEngine({ ...needs, ...snapshot, connection, model })
  }
  const engine = createPostgresEngine({
    ...needs,
    db: database.db,
    feeds,
    readModel: async () => model,
  })
  const close = async () => {
    await engine.close()
    await database.close()
  }
  return { ...engine, close }
})
