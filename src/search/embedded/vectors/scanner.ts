import { quantiseQuery } from '../../quantize.ts'
import { type BlockPlaces, rowsPerBlock } from './block-layout.ts'
import type { ScanHelper } from './helper/scan-helper.ts'
import {
  createScale,
  type Ends,
  type Scanned,
  scanFromTheFirst,
  writeScale,
} from './helper/work-split.ts'
import type { SketchScale } from './quantizer-2bit.ts'
import type { RowMemory } from './row-memory.ts'
import { openScanKernel } from './scan-kernel.ts'

/** Compares rows with one query after another. */
export interface Scanner {
  /** A helper begins at once, if there is enough to do. */
  prepare(query: Float32Array, helper?: ScanHelper): void
  /** From then on the product of a row is what it is at most, until it is multiplied. */
  estimate(): void
  /** Of the last query, less `queryScale`. */
  product(row: number): number
  queryScale(): number
  /** The rows of a block whose products are not less; until the next list. */
  list(block: number, least: { readonly whole: number; readonly passage: number }): Uint32Array
  /** Multiplies rows with the query, of whatever blocks they are. */
  multiply(rows: Int32Array): void
}

/** So many take 0.2 ms; of less there is nothing to gain by the time the other thread has woken. */
const leastHelped = 8

/** Of the last question. */
interface State {
  queryScale: number
  scale: SketchScale
  /** Where there was a helper to ask. */
  ends?: Ends | undefined
}

export function createScanner({ memory, places, stride, sketcher, blocks }: RowMemory): Scanner {
  const { tables, helpersTables, sketchBytes, list } = places
  const kernel = openScanKernel(memory)
  const query = new Int16Array(memory.buffer, places.query, stride)
  const tabled = new Uint8Array(memory.buffer, tables, helpersTables - tables)
  const listed = new Uint32Array(memory.buffer, list, rowsPerBlock)
  const scanned: Scanned = { memory, stride, scale: createScale() }
  const found: Found[] = []
  const state: State = { queryScale: 1, scale: { unit: 0, offset: 0, base: 0 } }
  const estimateBlock = (block: number) => {
    const { sketches, factors, products: into } = places.block(block)
    kernel.estimate({ sketches, factors, sketchBytes, tables, ...state.scale, into })
  }
  return {
    prepare: (values, helper) => {
      for (let block = found.length; block < blocks(); block++)
        found.push(readFound(memory, places.block(block)))
      state.queryScale = quantiseQuery(values, query)
      state.scale = scaleBy(1 / state.queryScale, sketcher.prepare(values, tabled))
      const writeQuestion = () => {
        new Uint8Array(memory.buffer, helpersTables, tabled.length).set(tabled)
        writeScale(scanned.scale, state.scale)
      }
      state.ends =
        found.length < leastHelped ? undefined : helper?.help(scanned, found.length, writeQuestion)
    },
    estimate: () => {
      const own = state.ends ? scanFromTheFirst(state.ends, estimateBlock) : found.length
      if (!state.ends) for (let block = 0; block < own; block++) estimateBlock(block)
      for (const { products, helped } of found.slice(own)) products.set(helped)
    },
    product: (row) => found[Math.floor(row / rowsPerBlock)]?.products[row % rowsPerBlock] ?? 0,
    queryScale: () => state.queryScale,
    list: (block, { whole, passage }) => {
      const { kinds, products } = places.block(block)
      const first = block * rowsPerBlock
      const count = kernel.list({ products, kinds, whole, passage, first, into: list })
      return listed.subarray(0, count)
    },
    multiply: (rows) => {
      for (let from = 0; from < rows.length; from += rowsPerBlock) {
        const some = rows.subarray(from, from + rowsPerBlock)
        listed.set(some)
        kernel.multiply({ ...places, count: some.length, stride })
      }
    },
  }
}

/** What came of a block, and what the helper has found. */
type Found = Readonly<Record<'products' | 'helped', Float32Array>>

function readFound({ buffer }: WebAssembly.Memory, { products, helped }: BlockPlaces): Found {
  return {
    products: new Float32Array(buffer, products, rowsPerBlock),
    helped: new Float32Array(buffer, helped, rowsPerBlock),
  }
}

function scaleBy(times: number, { unit, offset, base }: SketchScale): SketchScale {
  return { unit: times * unit, offset: times * offset, base: times * base }
}
