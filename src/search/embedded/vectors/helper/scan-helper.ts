import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { moduleFile } from '../../../../kernel/threads/module-file.ts'
import type { ScanWorkerOptions } from './scan-worker.ts'
import { askForHelp, createEnds, type Ends, isHelping, type Scanned } from './work-split.ts'

/** A second thread that reads sketches of vectors. */
export interface ScanHelper {
  /**
   * Asks for help with so many blocks. Undefined where there is none just now: what it is busy with
   * may be of an earlier question, and its tables are written only when it is not.
   */
  help(scanned: Scanned, blocks: number, writeQuestion: () => void): Ends | undefined
}

interface HelperOptions {
  /** It is done without from then on. */
  readonly onTrouble: (message: string) => void
  readonly restMs?: number
}

interface Thread {
  readonly ends: Ends
  readonly port: MessagePort
  knows?: WebAssembly.Memory
}

const usualRestMs = 60_000
/** A loop and a page of machine code. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 }

/** The thread is there while there is something to scan; nobody waits for its start or its end. */
export function createScanHelper({ onTrouble, restMs = usualRestMs }: HelperOptions): ScanHelper {
  const state: { thread?: Thread | undefined; broken?: true } = {}
  const doWithout = (error: unknown) => {
    state.broken = true
    onTrouble(`vectors are scanned by one thread: ${error}`)
  }
  const start = (): Thread => {
    const { port1, port2 } = new MessageChannel()
    const ends = createEnds()
    const workerData: ScanWorkerOptions = { ends, port: port2, restMs }
    const worker = new Worker(moduleFile(import.meta.url, './scan-worker'), {
      ...{ workerData, transferList: [port2], resourceLimits },
    })
    worker.unref()
    port1.unref()
    worker.once('error', doWithout)
    worker.once('exit', () => {
      state.thread = undefined
    })
    return { ends, port: port1 }
  }
  /** Where there may be no more threads, this says so at once. */
  const tryToStart = () => {
    try {
      return start()
    } catch (error) {
      doWithout(error)
      return undefined
    }
  }
  return {
    help: (scanned, blocks, writeQuestion) => {
      if (state.broken) return undefined
      state.thread ??= tryToStart()
      const { thread } = state
      if (!thread || isHelping(thread.ends)) return undefined
      if (thread.knows !== scanned.memory) thread.port.postMessage(scanned)
      thread.knows = scanned.memory
      writeQuestion()
      askForHelp(thread.ends, blocks)
      return thread.ends
    },
  }
}
