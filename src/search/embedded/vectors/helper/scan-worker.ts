import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { createBlockScan, type SharedProgress, scanBackward, waitForRequest } from './work-split.ts'

export interface ScanWorkerOptions {
  readonly progress: SharedProgress
  /** Delivers the scan target of the next request. */
  readonly port: MessagePort
  /** After this idle time the thread ends and releases the memory it scans. */
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
