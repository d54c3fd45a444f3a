import { parentPort, workerData } from 'node:worker_threads'
import { openPostgres } from '../../../kernel/db/postgres/open-postgres.ts'
import { realHost } from '../../../kernel/host/host.ts'
import { releaseMemoryWhenIdle } from '../../../kernel/threads/release-memory.ts'
import type { Reply, Request } from '../../thread/search-thread.ts'
import { createPostgresEngine } from '../postgres-engine.ts'
import type { ServerWorkerOptions } from '../server-engine.ts'

const { server, feeds, model }: ServerWorkerOptions = workerData
const database = openPostgres(server)
const engine = createPostgresEngine({
  host: realHost,
  db: database.db,
  feeds,
  readModel: async () => model,
  onHealth: (health) => post({ kind: 'health', health }),
  onWarning: (message) => post({ kind: 'warning', message }),
})

releaseMemoryWhenIdle()
parentPort?.on('message', (request: Request) => {
  if (request.kind === 'close') void close()
  else if (request.kind === 'changed') engine.changed()
  else void answer(request)
})

async function answer(request: Extract<Request, { readonly id: number }>): Promise<void> {
  const { id } = request
  try {
    const pendingReply =
      request.kind === 'search' ? engine.search(request.query) : engine.similar(request.query)
    post({ kind: 'answer', id, answer: await pendingReply })
  } catch (error) {
    post({ kind: 'failure', id, message: error instanceof Error ? error.message : String(error) })
  }
}

async function close(): Promise<void> {
  await engine.close()
  await database.close()
  parentPort?.close()
}

function post(reply: Reply): void {
  parentPort?.postMessage(reply)
}
