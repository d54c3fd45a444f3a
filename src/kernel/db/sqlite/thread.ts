import { Worker } from 'node:worker_threads'
import { DatabaseBusy, DatabaseLost, toDatabaseError } from '../database-error.ts'
import type { Result, Statement, Task, TaskResult, ThreadOptions } from './messages.ts'

/** One SQLite connection in its own thread; statements run in order. */
export interface Thread {
  /** Resolves when the thread has ended, for any reason. */
  readonly ended: Promise<void>
  run(sql: string, parameters?: readonly unknown[], inTransaction?: boolean): Promise<Result>
  /**
   * Runs all statements in one transaction, which other batches may share, or in the transaction that
   * is open.
   */
  runBatch(unit: readonly Statement[], inTransaction?: boolean): Promise<Result>
  /** Runs the read task that a module serves. */
  runTask(module: URL, input: unknown): Promise<unknown>
  /** Number of unanswered statements. */
  waiting(): number
  /** Ends the thread after all queued statements. */
  close(): Promise<void>
}

type PendingTasks = Map<number, PromiseWithResolvers<Result>>

/** Size of the young generation; larger values are not faster. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 }

/** @throws {DatabaseError} if the file cannot be opened; the thread has ended then. */
export async function startThread(options: ThreadOptions, maxQueued: number): Promise<Thread> {
  const worker = new Worker(workerFile(), { workerData: options, resourceLimits })
  const waiting: PendingTasks = new Map()
  const ended = Promise.withResolvers<void>()
  let tasks = 0
  let loss: DatabaseLost | undefined
  let reason = 'it was ended'

  const expect = (id: number): Promise<Result> => {
    const pending = Promise.withResolvers<Result>()
    waiting.set(id, pending)
    return pending.promise
  }
  const outbox = createOutbox((tasks) => worker.postMessage(tasks))
  worker.on('message', (outcomes: readonly TaskResult[]) => {
    for (const outcome of outcomes) settle(waiting, outcome)
  })
  worker.on('error', (error) => {
    reason = String(error)
  })
  // A message that cannot be deserialized would leave its caller waiting.
  worker.on('messageerror', () => worker.terminate())
  worker.once('exit', () => {
    loss = new DatabaseLost(`The database thread is gone: ${reason}.`, 'THREAD_ENDED')
    for (const { reject } of waiting.values()) reject(loss)
    waiting.clear()
    ended.resolve()
  })

  const send = (task: Task): Promise<Result> => {
    outbox.put(task)
    return expect(task.id)
  }
  const assertQueueSpace = () => {
    if (waiting.size >= maxQueued)
      throw new DatabaseBusy(`${waiting.size} statements are waiting already.`, 'QUEUE_FULL')
  }

  try {
    await expect(tasks)
  } catch (error) {
    await ended.promise
    throw error
  }
  return {
    ended: ended.promise,
    run: async (sql, parameters = [], inTransaction = false) => {
      if (loss) throw loss
      // A transaction bounds its own statements, and its end must pass.
      if (!inTransaction) assertQueueSpace()
      return send({ id: ++tasks, statement: { sql, parameters }, inTransaction })
    },
    runBatch: async (unit, inTransaction = false) => {
      if (loss) throw loss
      if (!inTransaction) assertQueueSpace()
      return send({ id: ++tasks, batch: unit, inTransaction })
    },
    runTask: async ({ href: module }, input) => {
      if (loss) throw loss
      assertQueueSpace()
      return (await send({ id: ++tasks, module, input })).output
    },
    waiting: () => waiting.size,
    close: () => {
      outbox.flush()
      if (!loss) worker.postMessage('close')
      return ended.promise
    },
  }
}

function settle(waiting: PendingTasks, outcome: TaskResult): void {
  const { resolve, reject } = waiting.get(outcome.id) ?? {}
  waiting.delete(outcome.id)
  if ('result' in outcome) resolve?.(outcome.result)
  else reject?.(toDatabaseError(outcome.failure.message, outcome.failure.code))
}

/** Number of statements that are sent before the turn of the event loop ends. */
const flushSize = 16

/**
 * A message costs as much as a statement, so statements of one turn of the event loop share a message.
 * Long queues are sent in parts, so that the thread works while others are prepared.
 */
function createOutbox(send: (tasks: readonly Task[]) => void) {
  let tasks: Task[] = []
  const flush = () => {
    if (tasks.length > 0) send(tasks)
    tasks = []
  }
  return {
    flush,
    put: (task: Task) => {
      tasks.push(task)
      if (tasks.length >= flushSize) flush()
      else if (tasks.length === 1) setImmediate(flush)
    },
  }
}

/** The program of the thread: the source file in development, the built file otherwise. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)
}
