import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { createBlockScan, type Ends, scanFromTheLast, waitForTurn } from './work-split.ts'

export interface ScanWorkerOptions {
  readonly ends: Ends
  /** Tells what is scanned from the next turn on. */
  readonly port: MessagePort
  /** Whoever has nothing to do for so long ends, and lets go of what it has scanned. */
  readonly restMs: number
}

const { ends, port, restMs }: ScanWorkerOptions = workerData
const state: { scan: (block: number) => void } = { scan: () => {} }

for (let turn = waitForTurn(ends, 0, restMs); turn !== undefined; ) {
  for (let news = receiveMessageOnPort(port); news; news = receiveMessageOnPort(port))
    state.scan = createBlockScan(news.message)
  scanFromTheLast(ends, state.scan)
  turn = waitForTurn(ends, turn, restMs)
}
port.close()
