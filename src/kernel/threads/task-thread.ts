import { Tinypool } from 'tinypool'
import { Refusal } from '../errors/refusal.ts'
import type { Host } from '../host/host.ts'
import { moduleFile } from './module-file.ts'

interface ThreadOptions {
  readonly host: Host
  /** `import.meta.url` of whoever starts it. */
  readonly from: string
  /** Its file as seen from there, without its ending. */
  readonly module: string
  /** A thread that has nothing to do for so long ends. */
  readonly restMs: number
  /** More are refused; no bound unless said otherwise. */
  readonly maxWaiting?: number
}

type Tasks<Module> = {
  readonly [Name in keyof Module]: (task: never) => unknown
}

/** What a module of functions does in a thread of its own. */
export interface TaskThread<Module extends Tasks<Module>> {
  /**
   * One task after another. Refuses `queue_full`.
   * @throws {TooLate}, with the thread ended; or what the task has thrown
   */
  run<Name extends keyof Module & string>(
    name: Name,
    task: Parameters<Module[Name]>[0],
    timeoutMs: number,
  ): Promise<Awaited<ReturnType<Module[Name]>>>
  /** Ends what is being done. */
  close(): Promise<void>
}

export class TooLate extends Error {
  override readonly name = 'TooLate'
}

/** For what takes the event loop too long; a thread is there only while there is something to do. */
export function createTaskThread<Module extends Tasks<Module>>(
  options: ThreadOptions,
): TaskThread<Module> {
  const { host, from, module, restMs, maxWaiting = Number.POSITIVE_INFINITY } = options
  const pool = new Tinypool({
    filename: moduleFile(from, module).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: restMs,
  })
  const closing = new AbortController()
  const broken = { next: new AbortController() }
  // A thread that cannot even be started has no task yet to fail: all that wait do.
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
