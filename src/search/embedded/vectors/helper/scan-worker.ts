import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { createBlockScan, type SharedProgress, scanBackward, waitForRequest } from './work-split.ts'

export interface ScanWorkerOptions {
  readonly progress: SharedProgress
  /** Tells what is scanned from the next turn on. */
  readonly port: MessagePort
  /** Whoever has nothing to do for so long ends, and lets go of what it has scanned. */
  readonly idleTimeoutMs: number
}

const { progress, port, idleTimeoutMs }: ScanWorkerOptions = workerData
const state: { scan: (block: number) => void } = { scan: () => {} }

for (
  let requestNumber = waitForRequest(progress, 0, idleTimeoutMs);
  requestNumber !== undefined;
) {
  for (let update = receiveMessageOnPort(port); update; update = receiveMessageOnPort(port))
    state.scan = createBlockScan(update.message)
  scanBackward(progress, state.scan)
  requestNumber = waitForRequest(progress, requestNumber, idleTimeoutMs)
}
port.close()
