import { Tinypool } from 'tinypool'
import type { Host } from '../../../kernel/host/host.ts'

interface ThreadOptions {
  readonly host: Host
  /** The file beside this one, without its ending, and the function in it. */
  readonly module: string
  readonly name: string
  /** A thread that has nothing to do for so long ends. */
  readonly restMs: number
}

export interface TaskThread<Task, Answer> {
  /** One task after another. @throws {TooLate}, with the thread ended; or what the task has thrown */
  run(task: Task, timeoutMs: number): Promise<Answer>
  /** Ends what is being done. */
  close(): Promise<void>
}

export class TooLate extends Error {
  override readonly name = 'TooLate'
}

/** For what takes the event loop too long; a thread is there only while there is something to do. */
export function createTaskThread<Task, Answer>(options: ThreadOptions): TaskThread<Task, Answer> {
  const { host, module, name, restMs } = options
  const pool = new Tinypool({
    filename: moduleFile(module).href,
    ...{ minThreads: 0, maxThreads: 1, idleTimeout: restMs },
  })
  const closing = new AbortController()
  const run = async (task: Task, timeoutMs: number): Promise<Answer> => {
    const [ended, late] = [new AbortController(), new AbortController()]
    void host.sleep(timeoutMs, ended.signal).then(() => late.abort())
    try {
      const signal = AbortSignal.any([late.signal, closing.signal])
      return await pool.run(task, { name, signal })
    } catch (error) {
      if (!late.signal.aborted && !closing.signal.aborted) throw error
      throw new TooLate(`no answer within ${timeoutMs} ms`, { cause: error })
    } finally {
      ended.abort()
    }
  }
  return {
    run,
    close: async () => {
      closing.abort()
      await pool.destroy()
    },
  }
}

/** The source itself where sources run, its build where the build runs. */
function moduleFile(module: string): URL {
  return new URL(`./${module}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)
}
