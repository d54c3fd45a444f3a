import { type ChildProcess, fork } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../errors/refusal.ts'
import type { Host } from '../host/host.ts'
import type { ChildLedger } from '../process/child-ledger.ts'
import { killGroup } from '../process/child-ledger.ts'
import { moduleFile } from './module-file.ts'
import type { Tasks } from './task-thread.ts'
import { TooLate } from './task-thread.ts'

interface ProcessOptions {
  readonly host: Host
  readonly children: Pick<ChildLedger, 'add'>
  /** Why the process runs, for the ledger of children. */
  readonly purpose: string
  /** `import.meta.url` of the module that starts the process. */
  readonly from: string
  /** The module file relative to `from`, without extension. It calls `serveTasks`. */
  readonly module: string
  readonly maxHeapMb: number
  /** An idle process ends after this time. */
  readonly idleTimeoutMs: number
  /** A process ends after this number of tasks, so that leaked memory is bounded. */
  readonly maxTasks: number
  /** Maximum number of waiting tasks. */
  readonly maxWaiting: number
}

/** Runs the functions of a module in a child process, one after another. */
export interface TaskProcess<Module extends Tasks<Module>> {
  /**
   * Refuses `queue_full`.
   * @throws {TooLate} after killing the process, {ProcessDied}, or the error of the task
   */
  run<Name extends keyof Module & string>(
    name: Name,
    task: Parameters<Module[Name]>[0],
    timeoutMs: number,
  ): Promise<Awaited<ReturnType<Module[Name]>>>
  /** Kills the process. Waiting tasks fail. */
  close(): Promise<void>
}

export class ProcessDied extends Error {
  override readonly name = 'ProcessDied'
}

interface Child {
  readonly process: ChildProcess
  readonly ended: Promise<string>
  tasks: number
}

/** The answer of a child: exactly one of the members. */
export interface TaskAnswer {
  readonly value?: unknown
  readonly error?: string
}

/**
 * For work on untrusted input, which may exhaust the heap: an abort of V8 ends a whole process. The
 * child has no environment, no network code, and reads files of this package only.
 */
export function createTaskProcess<Module extends Tasks<Module>>(
  options: ProcessOptions,
): TaskProcess<Module> {
  const { host, idleTimeoutMs, maxTasks, maxWaiting } = options
  const state = { waiting: 0, closed: false, idle: new AbortController() }
  let child: Child | undefined
  let last: Promise<unknown> = Promise.resolve()

  const end = () => {
    killGroup(child?.process.pid, 'SIGKILL')
    child = undefined
  }
  const endWhenIdle = async () => {
    state.idle = new AbortController()
    const { signal } = state.idle
    await host.sleep(idleTimeoutMs, signal)
    if (!signal.aborted) end()
  }
  const release = (used: Child) => {
    used.tasks++
    if (child !== used) return
    if (used.tasks >= maxTasks) end()
    else void endWhenIdle()
  }
  const runNow = async (message: object, timeoutMs: number) => {
    if (state.closed) throw new ProcessDied('The process is closed.')
    state.idle.abort()
    child ??= await startChild(options)
    const current = child
    try {
      return await sendTask(host, current, { message, timeoutMs })
    } catch (error) {
      if (error instanceof TooLate || error instanceof ProcessDied) end()
      throw error
    } finally {
      release(current)
    }
  }
  return {
    run: async (name, task, timeoutMs) => {
      if (state.waiting > maxWaiting)
        throw new Refusal('too_many', 'queue_full', `Too many tasks wait: '${name}'.`)
      state.waiting++
      const turn = last.then(() => runNow({ name, task }, timeoutMs))
      last = turn.catch(() => {}).finally(() => state.waiting--)
      return (await turn) as never
    },
    close: async () => {
      state.closed = true
      state.idle.abort()
      const ended = child?.ended
      end()
      await ended
      await last
    },
  }
}

async function startChild(options: ProcessOptions): Promise<Child> {
  const file = fileURLToPath(moduleFile(options.from, options.module))
  const child = fork(file, [], {
    execArgv: [
      `--max-old-space-size=${options.maxHeapMb}`,
      '--permission',
      `--allow-fs-read=${findPackageFolder(file)}/*`,
    ],
    env: {},
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const { promise: ended, resolve } = Promise.withResolvers<string>()
  child.on('error', (error) => resolve(error.message))
  child.on('exit', (code, signal) => resolve(`exit ${signal ?? code}`))
  const remove = await options.children.add({ pid: child.pid ?? 0, purpose: options.purpose })
  void ended.then(remove)
  return { process: child, ended, tasks: 0 }
}

/** Sources stand below `src`, and a build in one folder. */
function findPackageFolder(file: string): string {
  const [before] = file.split('/src/')
  return file.endsWith('.ts') && before !== undefined ? before : join(dirname(file), '..')
}

async function sendTask(
  host: Host,
  { process: child, ended }: Child,
  { message, timeoutMs }: { readonly message: object; readonly timeoutMs: number },
): Promise<unknown> {
  const { promise: answered, resolve } = Promise.withResolvers<TaskAnswer>()
  const inTime = new AbortController()
  const late = host.sleep(timeoutMs, inTime.signal).then((): TaskAnswer => {
    if (!inTime.signal.aborted) throw new TooLate(`no answer within ${timeoutMs} ms`)
    return {}
  })
  const died = ended.then((how) => {
    throw new ProcessDied(how)
  })
  const receive = (answer: unknown) => resolve(answer as TaskAnswer)
  child.on('message', receive)
  try {
    // A child that ends meanwhile fails the send and the race.
    child.send(message, () => {})
    const answer = await Promise.race([answered, late, died])
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer.value
  } finally {
    inTime.abort('in time')
    child.off('message', receive)
  }
}
