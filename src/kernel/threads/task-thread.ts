import { Tinypool } from 'tinypool'
import { Refusal } from '../errors/refusal.ts'
import type { Host } from '../host/host.ts'
import { moduleFile } from './module-file.ts'

/** Size of the young generation; larger values are not faster. */
const resourceLimits = { maxYoungGenerationSizeMb: 6 }

interface ThreadOptions {
  readonly host: Host
  /** `import.meta.url` of the module that starts the thread. */
  readonly from: string
  /** The module file relative to `from`, without extension. */
  readonly module: string
  /** An idle thread ends after this time. */
  readonly idleTimeoutMs: number
  /** Maximum number of waiting tasks; unlimited by default. */
  readonly maxWaiting?: number
}

export type Tasks<Module> = {
  readonly [Name in keyof Module]: (task: never) => unknown
}

/** Runs the functions of a module in a thread. */
export interface TaskThread<Module extends Tasks<Module>> {
  /**
   * Runs tasks one after another. Refuses `queue_full`.
   * @throws {TooLate} after terminating the thread, or the error of the task
   */
  run<Name extends keyof Module & string>(
    name: Name,
    task: Parameters<Module[Name]>[0],
    timeoutMs: number,
  ): Promise<Awaited<ReturnType<Module[Name]>>>
  /** Terminates the running task. */
  close(): Promise<void>
}

export class TooLate extends Error {
  override readonly name = 'TooLate'
}

/** For work that would block the event loop. The thread exists only while there are tasks. */
export function createTaskThread<Module extends Tasks<Module>>(
  options: ThreadOptions,
): TaskThread<Module> {
  const { host, from, module, idleTimeoutMs, maxWaiting = Number.POSITIVE_INFINITY } = options
  const pool = new Tinypool({
    filename: moduleFile(from, module).href,
    minThreads: 0,
    maxThreads: 1,
    resourceLimits,
    idleTimeout: idleTimeoutMs,
  })
  const closing = new AbortController()
  const broken = { next: new AbortController() }
  // A thread that cannot start has no task to fail, so all waiting tasks fail.
  pool.on('error', (error: unknown) => {
    broken.next.abort(error)
    broken.next = new AbortController()
  })
  return {
    run: async (name, task, timeoutMs) => {
      if (pool.queueSize >= maxWaiting)
        throw new Refusal('too_many', 'queue_full', `Too many tasks wait: '${name}'.`)
      const [ended, late] = [new AbortController(), new AbortController()]
      const { signal: failed } = broken.next
      void host.sleep(timeoutMs, ended.signal).then(() => late.abort())
      try {
        const signal = AbortSignal.any([late.signal, closing.signal, failed])
        return await pool.run(task, { name, signal })
      } catch (error) {
        if (failed.aborted) throw failed.reason
        if (!late.signal.aborted && !closing.signal.aborted) throw error
        throw new TooLate(`no answer within ${timeoutMs} ms`, { cause: error })
      } finally {
        ended.abort()
      }
    },
    close: async () => {
      closing.abort()
      await pool.destroy()
    },
  }
}
