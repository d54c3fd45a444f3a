import { scanKernel } from './scan-kernel-binary.ts'

export const rowsPerBlock = 4096
const pageBytes = 65_536
const mostPages = 65_536
/** The kernel adds products in 32 bits. */
const largestSum = 2 ** 31 - 1
const largestByte = 127
const largestShort = 32_767

/** Rows of signed bytes, each with a scale, in the memory of the machine code that scans them. */
export interface Scanner {
  readonly stride: number
  /** Room for one more block of rows. */
  addBlock(): void
  /** The bytes of a row, for reading and writing at once: a new block may move them. */
  row(row: number): Int8Array
  setScale(row: number, scale: number): void
  scale(row: number): number
  /** Whole blocks at once, for snapshots. */
  block(block: number): { readonly rows: Int8Array; readonly scales: Float32Array }
  /** The products of one block with the query that was prepared last; valid until the next call. */
  scan(block: number): Float32Array
  prepare(query: Float32Array): void
}

export function createScanner(dims: number): Scanner {
  const stride = Math.ceil(dims / 16) * 16
  const outAt = 2 * stride
  const blocksAt = outAt + 4 * rowsPerBlock
  const blockBytes = rowsPerBlock * (stride + 4)
  const largestQuery = Math.min(largestShort, Math.floor(largestSum / (largestByte * dims)))
  const memory = new WebAssembly.Memory({ initial: pagesFor(blocksAt), maximum: mostPages })
  const scan = instantiate(memory)
  let blocks = 0
  let queryScale = 1

  const rowsAt = (block: number) => blocksAt + block * blockBytes
  const scalesAt = (block: number) => rowsAt(block) + rowsPerBlock * stride
  const place = (row: number) => {
    const block = Math.floor(row / rowsPerBlock)
    return { block, within: row % rowsPerBlock }
  }
  const scalesOf = (block: number) => new Float32Array(memory.buffer, scalesAt(block), rowsPerBlock)

  return {
    stride,
    addBlock: () => {
      blocks += 1
      const missing = pagesFor(rowsAt(blocks)) - memory.buffer.byteLength / pageBytes
      if (missing > 0) memory.grow(missing)
    },
    row: (row) => {
      const { block, within } = place(row)
      return new Int8Array(memory.buffer, rowsAt(block) + within * stride, stride)
    },
    setScale: (row, scale) => {
      const { block, within } = place(row)
      scalesOf(block)[within] = scale
    },
    scale: (row) => {
      const { block, within } = place(row)
      return scalesOf(block)[within] ?? 0
    },
    block: (block) => ({
      rows: new Int8Array(memory.buffer, rowsAt(block), rowsPerBlock * stride),
      scales: scalesOf(block),
    }),
    prepare: (query) => {
      const largest = query.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
      queryScale = largest / largestQuery || 1
      const prepared = new Int16Array(memory.buffer, 0, stride)
      for (let at = 0; at < stride; at++) prepared[at] = Math.round((query[at] ?? 0) / queryScale)
    },
    scan: (block) => {
      scan(rowsAt(block), scalesAt(block), rowsPerBlock, stride, 0, outAt)
      const products = new Float32Array(memory.buffer, outAt, rowsPerBlock)
      for (let at = 0; at < rowsPerBlock; at++) products[at] = (products[at] ?? 0) * queryScale
      return products
    },
  }
}

type Scan = (
  rows: number,
  scales: number,
  count: number,
  stride: number,
  query: number,
  out: number,
) => void

function instantiate(memory: WebAssembly.Memory): Scan {
  const module = new WebAssembly.Module(Buffer.from(scanKernel, 'base64'))
  const { exports } = new WebAssembly.Instance(module, { env: { memory } })
  return exports['scan'] as Scan
}

function pagesFor(bytes: number): number {
  return Math.ceil(bytes / pageBytes)
}
