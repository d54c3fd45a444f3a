import { placesIn } from '../block-layout.ts'
import type { SketchScale } from '../quantizer-2bit.ts'
import { openScanKernel } from '../scan-kernel.ts'

/** Numbers that both threads read: who searches begins with the first block, who helps with the last. */
export type Ends = Int32Array

const turn = 0
const isBusy = 1
const blocks = 2
/** The block that whoever searches is at, -1 before the first. */
const first = 3
/** How many blocks from the last on are done by whoever helps. */
const done = 4
const length = 5

export function createEnds(): Ends {
  return new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT))
}

/** Whether whoever helps is still at work for an earlier question. */
export function isHelping(ends: Ends): boolean {
  return Atomics.load(ends, isBusy) === 1
}

export function askForHelp(ends: Ends, count: number): void {
  Atomics.store(ends, blocks, count)
  Atomics.store(ends, first, -1)
  Atomics.store(ends, done, 0)
  Atomics.store(ends, isBusy, 1)
  Atomics.add(ends, turn, 1)
  Atomics.notify(ends, turn)
}

/**
 * Scans until the rest is done; what is in work at the other end is scanned here as well, so that
 * nobody is waited for. Gives how many were scanned here.
 */
export function scanFromTheFirst(ends: Ends, scan: (block: number) => void): number {
  const count = Atomics.load(ends, blocks)
  let block = 0
  for (; block < count - countDone(ends); block++) {
    Atomics.store(ends, first, block)
    scan(block)
  }
  return block
}

/** Sleeps until help is asked for, for so long at most; gives the turn, or undefined. */
export function waitForTurn(ends: Ends, last: number, restMs: number): number | undefined {
  return Atomics.wait(ends, turn, last, restMs) === 'timed-out'
    ? undefined
    : Atomics.load(ends, turn)
}

export function countDone(ends: Ends): number {
  return Atomics.load(ends, done)
}

export function scanFromTheLast(ends: Ends, scan: (block: number) => void): void {
  for (let block = Atomics.load(ends, blocks) - 1; block > Atomics.load(ends, first); block--) {
    scan(block)
    Atomics.add(ends, done, 1)
  }
  Atomics.store(ends, isBusy, 0)
}

/** What a helper needs to know of the blocks. */
export interface Scanned {
  readonly memory: WebAssembly.Memory
  readonly stride: number
  /** Of the question: it is written when that is. */
  readonly scale: Float32Array
}

/** Estimates a block for another, with the tables and into the place that are the helper's. */
export function createBlockScan({ memory, stride, scale }: Scanned): (block: number) => void {
  const kernel = openScanKernel(memory)
  const places = placesIn(stride)
  const { sketchBytes, helpersTables: tables } = places
  return (block) => {
    const { sketches, factors, helped: into } = places.block(block)
    kernel.estimate({ sketches, factors, sketchBytes, tables, ...readScale(scale), into })
  }
}

/** Three numbers that both threads see. */
export function createScale(): Float32Array {
  return new Float32Array(new SharedArrayBuffer(3 * Float32Array.BYTES_PER_ELEMENT))
}

export function writeScale(scale: Float32Array, { unit, offset, base }: SketchScale): void {
  scale.set([unit, offset, base])
}

function readScale(scale: Float32Array): SketchScale {
  const [unit = 0, offset = 0, base = 0] = scale
  return { unit, offset, base }
}
