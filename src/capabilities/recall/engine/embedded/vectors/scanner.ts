import { instantiate } from '../../vectors/instantiate.ts'
import { quantiseQuery } from '../../vectors/quantise.ts'
import { scanKernel } from './scan-kernel-binary.ts'

export const rowsPerBlock = 4096
const pageBytes = 65_536
const mostPages = 65_536

/** Rows of signed bytes, each with a scale and a kind, in the memory of the machine code that scans them. */
export interface Scanner {
  readonly stride: number
  /** Room for more blocks of rows, one unless said otherwise. */
  addBlocks(more?: number): void
  /** The bytes of a row, for reading and writing at once: a new block may move them. */
  row(row: number): Int8Array
  setScale(row: number, scale: number): void
  scale(row: number): number
  setKind(row: number, isPassage: boolean): void
  /** The bytes of all rows of a block and their scales behind them, for snapshots; a new block may move them. */
  block(block: number): Uint8Array
  prepare(query: Float32Array): void
  /** Multiplies each row of a block with the query that was prepared last. */
  scan(block: number): void
  /** What came of it, less `queryScale`; a new block may move them. */
  products(block: number): Float32Array
  /** The rows of a block whose products are not less, as they are counted in it; until the next list. */
  list(block: number, least: { readonly whole: number; readonly passage: number }): Uint32Array
  queryScale(): number
}

/** What a block holds, and how many bytes of it are a row's. */
interface Block {
  readonly rows: Int8Array
  readonly scales: Float32Array
  readonly products: Float32Array
  /** 0 for a whole text, 255 for a passage. */
  readonly kinds: Uint8Array
}

export function createScanner(dims: number): Scanner {
  const stride = Math.ceil(dims / 16) * 16
  const listAt = 2 * stride
  const placesOf = (block: number) => {
    const rows = listAt + 4 * rowsPerBlock + block * rowsPerBlock * (stride + 9)
    const scales = rows + rowsPerBlock * stride
    const products = scales + 4 * rowsPerBlock
    return { rows, scales, products, kinds: products + 4 * rowsPerBlock }
  }
  const memory = new WebAssembly.Memory({ initial: pagesFor(placesOf(0).rows), maximum: mostPages })
  const kernel = instantiate(scanKernel, memory) as unknown as Kernel
  let blocks: readonly Block[] = []
  let queryScale = 1

  const blockOf = (row: number) => blocks[Math.floor(row / rowsPerBlock)] as Block
  return {
    stride,
    addBlocks: (more = 1) => {
      const count = blocks.length + more
      const missing = pagesFor(placesOf(count).rows) - memory.buffer.byteLength / pageBytes
      if (missing > 0) memory.grow(missing)
      blocks = Array.from({ length: count }, (_, block) =>
        toBlock(memory.buffer, placesOf(block), stride),
      )
    },
    row: (row) => {
      const from = (row % rowsPerBlock) * stride
      return blockOf(row).rows.subarray(from, from + stride)
    },
    setScale: (row, scale) => {
      blockOf(row).scales[row % rowsPerBlock] = scale
    },
    scale: (row) => blockOf(row).scales[row % rowsPerBlock] ?? 0,
    setKind: (row, isPassage) => {
      blockOf(row).kinds[row % rowsPerBlock] = isPassage ? 255 : 0
    },
    block: (block) =>
      new Uint8Array(memory.buffer, placesOf(block).rows, rowsPerBlock * (stride + 4)),
    prepare: (query) => {
      queryScale = quantiseQuery(query, new Int16Array(memory.buffer, 0, stride))
    },
    scan: (block) => {
      const { rows, scales, products } = placesOf(block)
      kernel.scan(rows, scales, rowsPerBlock, stride, 0, products)
    },
    products: (block) => (blocks[block] as Block).products,
    list: (block, { whole, passage }) => {
      const { products, kinds } = placesOf(block)
      const count = kernel.list(products, kinds, rowsPerBlock, whole, passage, listAt)
      return new Uint32Array(memory.buffer, listAt, count)
    },
    queryScale: () => queryScale,
  }
}

function toBlock(
  buffer: ArrayBuffer,
  places: Readonly<Record<keyof Block, number>>,
  stride: number,
): Block {
  return {
    rows: new Int8Array(buffer, places.rows, rowsPerBlock * stride),
    scales: new Float32Array(buffer, places.scales, rowsPerBlock),
    products: new Float32Array(buffer, places.products, rowsPerBlock),
    kinds: new Uint8Array(buffer, places.kinds, rowsPerBlock),
  }
}

interface Kernel {
  scan(...numbers: readonly number[]): void
  list(...numbers: readonly number[]): number
}

function pagesFor(bytes: number): number {
  return Math.ceil(bytes / pageBytes)
}
