import { Worker } from 'node:worker_threads'
import { DatabaseBusy, DatabaseLost, toDatabaseError } from '../database-error.ts'
import type { Result, Statement, Task, TaskResult, ThreadOptions } from './messages.ts'

/** One SQLite connection in its own thread; statements are done in the order they were given. */
export interface Thread {
  /** Kept once nothing of the thread is left, however it came to its end. */
  readonly ended: Promise<void>
  run(sql: string, parameters?: readonly unknown[], inTransaction?: boolean): Promise<Result>
  /** Does all of them or none, in a transaction of their own or one that others like it share. */
  runBatch(unit: readonly Statement[]): Promise<Result>
  /** Statements without an answer yet. */
  waiting(): number
  /** Ends the thread after everything given so far. */
  close(): Promise<void>
}

type PendingTasks = Map<number, PromiseWithResolvers<Result>>

/** Room for what statements leave behind; with more of it a thread is no faster. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 }

/** @throws {DatabaseError} when the file cannot be opened; then no thread is left behind. */
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
  // Its caller would wait for ever for what cannot be read.
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
      // What belongs to a transaction is bounded by it, and its end must get through.
      if (!inTransaction) assertQueueSpace()
      return send({ id: ++tasks, statement: { sql, parameters }, inTransaction })
    },
    runBatch: async (unit) => {
      if (loss) throw loss
      assertQueueSpace()
      return send({ id: ++tasks, batch: unit })
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

/** Statements that are worth a message before the turn of the event loop is over. */
const flushSize = 4

/**
 * A message costs as much as a statement, so what is given in one turn of the event loop goes over
 * together; but of many the first are done while the others are still being made ready.
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

/** The thread's program: the source itself where sources run, its build where the build runs. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)
}
