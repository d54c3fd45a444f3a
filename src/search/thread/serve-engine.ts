import { parentPort } from 'node:worker_threads'
import { releaseMemoryWhenIdle } from '../../kernel/threads/release-memory.ts'
import type { SearchEngine } from '../engine.ts'
import type { EngineListeners } from './catch-up-loop.ts'
import type { Reply, Request } from './search-thread.ts'

/** Serves an engine of this thread to the thread that started it. */
export function serveEngine(create: (listeners: EngineListeners) => SearchEngine): void {
  const post = (reply: Reply) => parentPort?.postMessage(reply)
  const engine = create({
    onHealth: (health) => post({ kind: 'health', health }),
    onWarning: (message) => post({ kind: 'warning', message }),
  })
  const answer = async (request: Extract<Request, { readonly id: number }>) => {
    const { id } = request
    try {
      const pendingReply =
        request.kind === 'search' ? engine.search(request.query) : engine.similar(request.query)
      post({ kind: 'answer', id, answer: await pendingReply })
    } catch (error) {
      post({ kind: 'failure', id, message: error instanceof Error ? error.message : String(error) })
    }
  }
  const close = async () => {
    await engine.close()
    parentPort?.close()
  }
  releaseMemoryWhenIdle()
  parentPort?.on('message', (request: Request) => {
    if (request.kind === 'close') void close()
    else if (request.kind === 'changed') engine.changed()
    else void answer(request)
  })
}
