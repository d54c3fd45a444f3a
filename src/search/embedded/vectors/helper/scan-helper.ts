import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { moduleFile } from '../../../../kernel/threads/module-file.ts'
import type { ScanWorkerOptions } from './scan-worker.ts'
import {
  createProgress,
  isHelping,
  requestHelp,
  type ScanTarget,
  type SharedProgress,
} from './work-split.ts'

/** A second thread that scans quantized vectors. */
export interface ScanHelper {
  /**
   * Requests help for this many blocks. Undefined if the helper is missing or still busy; its
   * tables are written only when it is idle.
   */
  help(target: ScanTarget, blocks: number, writeQuestion: () => void): SharedProgress | undefined
}

interface HelperOptions {
  /** The helper is disabled afterwards. */
  readonly onWarning: (message: string) => void
  readonly idleTimeoutMs?: number
}

interface Thread {
  readonly progress: SharedProgress
  readonly port: MessagePort
  target?: WebAssembly.Memory
}

const defaultIdleTimeoutMs = 60_000
/** Enough for a loop and a page of machine code. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 }

/** The thread starts on first use and ends when idle; no caller awaits either. */
export function createScanHelper({
  onWarning,
  idleTimeoutMs = defaultIdleTimeoutMs,
}: HelperOptions): ScanHelper {
  const state: { thread?: Thread | undefined; isDisabled?: true } = {}
  const disable = (error: unknown) => {
    state.isDisabled = true
    onWarning(`scan helper disabled, one thread scans all vectors: ${error}`)
  }
  const start = (): Thread => {
    const { port1, port2 } = new MessageChannel()
    const progress = createProgress()
    const workerData: ScanWorkerOptions = { progress, port: port2, idleTimeoutMs }
    const worker = new Worker(moduleFile(import.meta.url, './scan-worker'), {
      workerData,
      transferList: [port2],
      resourceLimits,
    })
    worker.unref()
    port1.unref()
    worker.once('error', disable)
    worker.once('exit', () => {
      state.thread = undefined
    })
    return { progress, port: port1 }
  }
  /** Thread creation fails synchronously if the limit is reached. */
  const tryToStart = () => {
    try {
      return start()
    } catch (error) {
      disable(error)
      return undefined
    }
  }
  return {
    help: (target, blocks, writeQuestion) => {
      if (state.isDisabled) return undefined
      state.thread ??= tryToStart()
      const { thread } = state
      if (!thread || isHelping(thread.progress)) return undefined
      if (thread.target !== target.memory) thread.port.postMessage(target)
      thread.target = target.memory
      writeQuestion()
      requestHelp(thread.progress, blocks)
      return thread.progress
    },
  }
}
