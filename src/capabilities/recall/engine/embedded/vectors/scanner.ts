import { quantiseQuery } from '../../vectors/quantise.ts'
import { type BlockPlaces, placesIn, rowsPerBlock } from './block-places.ts'
import { type Ends, scanFromTheFirst } from './helper/ends.ts'
import type { ScanHelper } from './helper/scan-helper.ts'
import { createScanMemory, growTo, openScanKernel } from './scan-kernel.ts'

/** Rows of signed bytes, each with a scale and a kind, in the memory of the machine code that scans them. */
export interface Scanner {
  readonly stride: number
  /** Room for more blocks of rows, one unless said otherwise. */
  addBlocks(more?: number): void
  /** The bytes of a row, for reading and writing. */
  row(row: number): Int8Array
  setScale(row: number, scale: number): void
  scale(row: number): number
  setKind(row: number, isPassage: boolean): void
  /** The bytes of all rows of a block and their scales behind them, for snapshots. */
  block(block: number): Uint8Array
  /** A helper begins at once, if there is enough to do. */
  prepare(query: Float32Array, helper?: ScanHelper): void
  /** Multiplies all rows with the query that was prepared last. */
  scan(): void
  /** What came of it, less `queryScale`, until the next is prepared. */
  products(block: number): Float32Array
  /** The rows of a block whose products are not less, as they are counted in it; until the next list. */
  list(block: number, least: { readonly whole: number; readonly passage: number }): Uint32Array
  queryScale(): number
}

/** So many take 0.4 ms; of less there is nothing to gain by the time the other thread has woken. */
const leastHelped = 8

/** What a block holds. */
type Block = Readonly<
  Record<'scales' | 'products' | 'helped', Float32Array> & { rows: Int8Array; kinds: Uint8Array }
>

/** Of the last question. */
interface State {
  queryScale: number
  /** So many blocks were scanned here, the others by the helper. */
  own: number
  /** Where there was a helper to ask. */
  ends?: Ends | undefined
}

export function createScanner(dims: number): Scanner {
  const stride = Math.ceil(dims / 16) * 16
  const places = placesIn(stride)
  const memory = createScanMemory(places.block(0).rows)
  const kernel = openScanKernel(memory)
  const blocks: Block[] = []
  const state: State = { queryScale: 1, own: 0 }
  const scanBlock = (block: number) => {
    const { rows, scales, products } = places.block(block)
    kernel.scan({ rows, scales, stride, query: places.query, into: products })
  }
  const blockOf = (row: number) => blocks[Math.floor(row / rowsPerBlock)] as Block
  const isHelped = (block: number) => block >= state.own
  return {
    stride,
    addBlocks: (more = 1) => {
      const count = blocks.length + more
      growTo(memory, places.block(count).rows)
      for (let block = blocks.length; block < count; block++)
        blocks.push(toBlock(memory.buffer, places.block(block), stride))
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
      new Uint8Array(memory.buffer, places.block(block).rows, rowsPerBlock * (stride + 4)),
    prepare: (query, helper) => {
      const values = new Int16Array(memory.buffer, places.query, stride)
      state.queryScale = quantiseQuery(query, values)
      const writeQuery = () =>
        new Int16Array(memory.buffer, places.helpersQuery, stride).set(values)
      state.ends =
        blocks.length < leastHelped
          ? undefined
          : helper?.help({ memory, stride }, blocks.length, writeQuery)
    },
    scan: () => {
      state.own = blocks.length
      if (state.ends) state.own = scanFromTheFirst(state.ends, scanBlock)
      else for (let block = 0; block < blocks.length; block++) scanBlock(block)
    },
    products: (block) => {
      const { helped, products } = blocks[block] as Block
      return isHelped(block) ? helped : products
    },
    list: (block, { whole, passage }) => {
      const { kinds, ...of } = places.block(block)
      const products = isHelped(block) ? of.helped : of.products
      const count = kernel.list({ products, kinds, whole, passage, into: places.list })
      return new Uint32Array(memory.buffer, places.list, count)
    },
    queryScale: () => state.queryScale,
  }
}

function toBlock(buffer: ArrayBufferLike, places: BlockPlaces, stride: number): Block {
  return {
    rows: new Int8Array(buffer, places.rows, rowsPerBlock * stride),
    scales: new Float32Array(buffer, places.scales, rowsPerBlock),
    products: new Float32Array(buffer, places.products, rowsPerBlock),
    helped: new Float32Array(buffer, places.helped, rowsPerBlock),
    kinds: new Uint8Array(buffer, places.kinds, rowsPerBlock),
  }
}
