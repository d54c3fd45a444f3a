import { Worker } from 'node:worker_threads'
import { DatabaseBusy, DatabaseLost, toDatabaseError } from '../database-error.ts'
import type { Outcome, Result, ThreadOptions } from './messages.ts'

/** One SQLite connection in its own thread; statements are done in the order they were given. */
export interface Thread {
  /** Kept once nothing of the thread is left, however it came to its end. */
  readonly ended: Promise<void>
  run(sql: string, parameters?: readonly unknown[], inTransaction?: boolean): Promise<Result>
  /** Statements without an answer yet. */
  waiting(): number
  /** Ends the thread after everything given so far. */
  close(): Promise<void>
}

/** @throws {DatabaseError} when the file cannot be opened; then no thread is left behind. */
export async function startThread(options: ThreadOptions, waitingAtMost: number): Promise<Thread> {
  const worker = new Worker(workerFile(), { workerData: options })
  const waiting = new Map<number, PromiseWithResolvers<Result>>()
  const ended = Promise.withResolvers<void>()
  let statements = 0
  let loss: DatabaseLost | undefined
  let reason = 'it was ended'

  const expect = (id: number): Promise<Result> => {
    const outcome = Promise.withResolvers<Result>()
    waiting.set(id, outcome)
    return outcome.promise
  }
  worker.on('message', (outcome: Outcome) => {
    const { resolve, reject } = waiting.get(outcome.id) ?? {}
    waiting.delete(outcome.id)
    if ('result' in outcome) resolve?.(outcome.result)
    else reject?.(toDatabaseError(outcome.failure.message, outcome.failure.code))
  })
  worker.on('error', (error) => {
    reason = String(error)
  })
  // Its caller would wait for ever for what cannot be read.
  worker.on('messageerror', () => worker.terminate())
  worker.once('exit', () => {
    loss = new DatabaseLost(`The database thread is gone: ${reason}.`, 'THREAD_ENDED')
    for (const { reject } of waiting.values()) reject(loss)
    waiting.clear()
    ended.resolve()
  })

  try {
    await expect(statements)
  } catch (error) {
    await ended.promise
    throw error
  }
  return {
    ended: ended.promise,
    run: async (sql, parameters = [], inTransaction = false) => {
      if (loss) throw loss
      if (waiting.size >= waitingAtMost)
        throw new DatabaseBusy(`${waiting.size} statements are waiting already.`, 'QUEUE_FULL')
      const id = ++statements
      worker.postMessage({ id, sql, parameters, inTransaction })
      return expect(id)
    },
    waiting: () => waiting.size,
    close: () => {
      if (!loss) worker.postMessage('close')
      return ended.promise
    },
  }
}

/** The thread's program: the source itself where sources run, its build where the build runs. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)
}
