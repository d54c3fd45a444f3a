import { layoutFor } from '../block-layout.ts'
import type { QuantizedScale } from '../quantizer-2bit.ts'
import { openScanKernel } from '../scan-kernel.ts'

/** Numbers that both threads read: who searches begins with the first block, who helps with the last. */
export type SharedProgress = Int32Array

const requestNumber = 0
const isBusy = 1
const blocks = 2
/** The block that whoever searches is at, -1 before the first. */
const first = 3
/** How many blocks from the last on are done by whoever helps. */
const done = 4
const length = 5

export function createProgress(): SharedProgress {
  return new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT))
}

/** Whether whoever helps is still at work for an earlier question. */
export function isHelping(progress: SharedProgress): boolean {
  return Atomics.load(progress, isBusy) === 1
}

export function requestHelp(progress: SharedProgress, count: number): void {
  Atomics.store(progress, blocks, count)
  Atomics.store(progress, first, -1)
  Atomics.store(progress, done, 0)
  Atomics.store(progress, isBusy, 1)
  Atomics.add(progress, requestNumber, 1)
  Atomics.notify(progress, requestNumber)
}

/**
 * Scans until the rest is done; what is in work at the other end is scanned here as well, so that
 * nobody is waited for. Gives how many were scanned here.
 */
export function scanForward(progress: SharedProgress, scan: (block: number) => void): number {
  const count = Atomics.load(progress, blocks)
  let block = 0
  for (; block < count - countDone(progress); block++) {
    Atomics.store(progress, first, block)
    scan(block)
  }
  return block
}

/** Sleeps until help is asked for, for so long at most; gives the turn, or undefined. */
export function waitForRequest(
  progress: SharedProgress,
  last: number,
  idleTimeoutMs: number,
): number | undefined {
  return Atomics.wait(progress, requestNumber, last, idleTimeoutMs) === 'timed-out'
    ? undefined
    : Atomics.load(progress, requestNumber)
}

export function countDone(progress: SharedProgress): number {
  return Atomics.load(progress, done)
}

export function scanBackward(progress: SharedProgress, scan: (block: number) => void): void {
  for (
    let block = Atomics.load(progress, blocks) - 1;
    block > Atomics.load(progress, first);
    block--
  ) {
    scan(block)
    Atomics.add(progress, done, 1)
  }
  Atomics.store(progress, isBusy, 0)
}

/** What a helper needs to know of the blocks. */
export interface ScanTarget {
  readonly memory: WebAssembly.Memory
  readonly stride: number
  /** Of the question: it is written when that is. */
  readonly scale: Float32Array
}

/** Estimates a block for another, with the tables and into the place that are the helper's. */
export function createBlockScan({ memory, stride, scale }: ScanTarget): (block: number) => void {
  const kernel = openScanKernel(memory)
  const places = layoutFor(stride)
  const { sketchBytes, helpersTables: tables } = places
  return (block) => {
    const { quantized, factors, helperProducts: into } = places.block(block)
    kernel.estimate({
      quantized,
      factors,
      quantizedBytes: sketchBytes,
      tables,
      ...readScale(scale),
      into,
    })
  }
}

/** Three numbers that both threads see. */
export function createScale(): Float32Array {
  return new Float32Array(new SharedArrayBuffer(3 * Float32Array.BYTES_PER_ELEMENT))
}

export function writeScale(scale: Float32Array, { unit, offset, base }: QuantizedScale): void {
  scale.set([unit, offset, base])
}

function readScale(scale: Float32Array): QuantizedScale {
  const [unit = 0, offset = 0, base = 0] = scale
  return { unit, offset, base }
}
