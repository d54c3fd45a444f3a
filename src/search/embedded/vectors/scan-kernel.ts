import { instantiate } from '../../instantiate.ts'
import { rowsPerBlock } from './block-layout.ts'
import type { QuantizedScale } from './quantizer-2bit.ts'
import { scanKernel } from './scan-kernel-binary.ts'

const pageBytes = 65_536
const maxPages = 65_536

/** Offsets in memory, in bytes. */
interface Estimate extends QuantizedScale {
  readonly quantized: number
  readonly factors: number
  readonly quantizedBytes: number
  readonly tables: number
  readonly into: number
}

interface Listing {
  readonly products: number
  readonly kinds: number
  readonly whole: number
  readonly passage: number
  /** The number of the first row of the block. */
  readonly first: number
  readonly into: number
}

interface Listed {
  readonly list: number
  readonly count: number
  readonly blocks: number
  readonly blockBytes: number
  readonly stride: number
  /** Relative to the start of a block. */
  readonly scales: number
  readonly products: number
  readonly query: number
}

/** The WebAssembly functions of scan-kernel.as. */
export interface ScanKernel {
  /** Estimates the products of one block. */
  estimate(estimate: Estimate): void
  /** Lists rows of one block and returns their number. */
  list(listing: Listing): number
  /** Multiplies rows of any blocks. */
  multiply(listed: Listed): void
}

/** Unwritten pages take no memory. Views stay valid when a shared memory grows. */
export function createScanMemory(bytes: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: pagesFor(bytes), maximum: maxPages, shared: true })
}

export function growTo(memory: WebAssembly.Memory, bytes: number): void {
  const missing = pagesFor(bytes) - memory.buffer.byteLength / pageBytes
  if (missing > 0) memory.grow(missing)
}

export function openScanKernel(memory: WebAssembly.Memory): ScanKernel {
  const kernel = instantiate(scanKernel, memory) as unknown as Exports
  return {
    estimate: ({ quantized, factors, quantizedBytes, tables, unit, offset, base, into }) => {
      const scale = [unit, offset, base] as const
      kernel.estimate(quantized, factors, rowsPerBlock, quantizedBytes, tables, ...scale, into)
    },
    list: ({ products, kinds, whole, passage, first, into }) =>
      kernel.list(products, kinds, rowsPerBlock, whole, passage, first, into),
    multiply: ({ list, count, blocks, blockBytes, stride, scales, products, query }) => {
      kernel.multiply(list, count, blocks, blockBytes, stride, scales, products, query)
    },
  }
}

interface Exports {
  estimate(...numbers: readonly number[]): void
  list(...numbers: readonly number[]): number
  multiply(...numbers: readonly number[]): number
}

function pagesFor(bytes: number): number {
  return Math.ceil(bytes / pageBytes)
}
