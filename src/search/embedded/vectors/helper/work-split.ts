import { layoutFor } from '../block-layout.ts'
import type { QuantizedScale } from '../quantizer-2bit.ts'
import { openScanKernel } from '../scan-kernel.ts'

/** Shared counters: the searching thread scans from the first block, the helper from the last. */
export type SharedProgress = Int32Array

const requestNumber = 0
const isBusy = 1
const blocks = 2
/** The block that the searching thread is at; -1 before the first. */
const first = 3
/** The number of blocks that the helper has finished. */
const done = 4
const length = 5

export function createProgress(): SharedProgress {
  return new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT))
}

/** Whether the helper still works on an earlier request. */
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
 * Scans until the helper has the rest. A block in progress on both sides is scanned twice, so that
 * no side waits. Returns the number of blocks scanned.
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

/** Sleeps until help is requested; returns the request number, or undefined after the idle timeout. */
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

/** What the helper needs to know of the blocks. */
export interface ScanTarget {
  readonly memory: WebAssembly.Memory
  readonly stride: number
  /** The scale of the current query. */
  readonly scale: Float32Array
}

/** Returns a function that estimates a block with the tables of the helper. */
export function createBlockScan({ memory, stride, scale }: ScanTarget): (block: number) => void {
  const kernel = openScanKernel(memory)
  const layout = layoutFor(stride)
  const { quantizedBytes, helpersTables: tables } = layout
  return (block) => {
    const { quantized, factors, helperProducts: into } = layout.block(block)
    kernel.estimate({
      quantized,
      factors,
      quantizedBytes,
      tables,
      ...readScale(scale),
      into,
    })
  }
}

/** Three numbers in shared memory. */
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
