import { instantiate } from '../../vectors/instantiate.ts'
import { quantiseQuery } from '../../vectors/quantise.ts'
import { scanKernel } from './scan-kernel-binary.ts'

export const rowsPerBlock = 4096
const pageBytes = 65_536
const mostPages = 65_536

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
  prepare(query: Float32Array): void
  /** Multiplies each row of a block with the query that was prepared last. */
  scan(block: number): void
  /** What came of it, less `queryScale`; a new block may move them. */
  products(block: number): Float32Array
  queryScale(): number
}

export function createScanner(dims: number): Scanner {
  const stride = Math.ceil(dims / 16) * 16
  const blocksAt = 2 * stride
  const blockBytes = rowsPerBlock * (stride + 8)
  const memory = new WebAssembly.Memory({ initial: pagesFor(blocksAt), maximum: mostPages })
  const scan = instantiate(scanKernel, memory)['scan'] as Scan
  const products: Float32Array[] = []
  let queryScale = 1

  const rowsAt = (block: number) => blocksAt + block * blockBytes
  const scalesAt = (block: number) => rowsAt(block) + rowsPerBlock * stride
  const place = (row: number) => {
    const block = Math.floor(row / rowsPerBlock)
    return { block, within: row % rowsPerBlock }
  }
  const scalesOf = (block: number) => new Float32Array(memory.buffer, scalesAt(block), rowsPerBlock)
  const productsAt = (block: number) => scalesAt(block) + 4 * rowsPerBlock
  const productsOf = (block: number) =>
    new Float32Array(memory.buffer, productsAt(block), rowsPerBlock)

  return {
    stride,
    addBlock: () => {
      const blocks = products.length + 1
      const missing = pagesFor(rowsAt(blocks)) - memory.buffer.byteLength / pageBytes
      if (missing > 0) memory.grow(missing)
      for (let block = 0; block < blocks; block++) products[block] = productsOf(block)
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
      queryScale = quantiseQuery(query, new Int16Array(memory.buffer, 0, stride))
    },
    scan: (block) =>
      scan(rowsAt(block), scalesAt(block), rowsPerBlock, stride, 0, productsAt(block)),
    products: (block) => products[block] ?? new Float32Array(rowsPerBlock),
    queryScale: () => queryScale,
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

function pagesFor(bytes: number): number {
  return Math.ceil(bytes / pageBytes)
}
