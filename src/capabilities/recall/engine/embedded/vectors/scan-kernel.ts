import { instantiate } from '../../vectors/instantiate.ts'
import { rowsPerBlock } from './block-places.ts'
import { scanKernel } from './scan-kernel-binary.ts'

const pageBytes = 65_536
const mostPages = 65_536

/** Places in the memory, in bytes. */
interface Scan {
  readonly rows: number
  readonly scales: number
  readonly stride: number
  readonly query: number
  readonly into: number
}

interface Listing {
  readonly products: number
  readonly kinds: number
  readonly whole: number
  readonly passage: number
  readonly into: number
}

/** The machine code that scans, see scan-kernel.as, for one block at a time. */
export interface ScanKernel {
  scan(scan: Scan): void
  /** Gives how many were listed. */
  list(listing: Listing): number
}

/** A memory that threads can share; what is never written takes none. */
export function createScanMemory(bytes: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: pagesFor(bytes), maximum: mostPages, shared: true })
}

export function growTo(memory: WebAssembly.Memory, bytes: number): void {
  const missing = pagesFor(bytes) - memory.buffer.byteLength / pageBytes
  if (missing > 0) memory.grow(missing)
}

export function openScanKernel(memory: WebAssembly.Memory): ScanKernel {
  const kernel = instantiate(scanKernel, memory) as unknown as Exports
  return {
    scan: ({ rows, scales, stride, query, into }) =>
      kernel.scan(rows, scales, rowsPerBlock, stride, query, into),
    list: ({ products, kinds, whole, passage, into }) =>
      kernel.list(products, kinds, rowsPerBlock, whole, passage, into),
  }
}

interface Exports {
  scan(...numbers: readonly number[]): void
  list(...numbers: readonly number[]): number
}

function pagesFor(bytes: number): number {
  return Math.ceil(bytes / pageBytes)
}
