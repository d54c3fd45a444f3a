import { placesIn } from '../block-places.ts'
import { openScanKernel } from '../scan-kernel.ts'
import type { SketchScale } from '../sketches/sketcher.ts'

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
