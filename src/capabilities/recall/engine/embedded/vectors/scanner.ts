import { quantiseQuery } from '../../vectors/quantise.ts'
import { rowsPerBlock } from './block-places.ts'
import type { RowMemory } from './row-memory.ts'
import { openScanKernel } from './scan-kernel.ts'
import type { SketchScale } from './sketches/sketcher.ts'

/** Compares rows with one query after another. */
export interface Scanner {
  /** From then on the product of a row is what it is at most, until it is multiplied. */
  estimate(query: Float32Array): void
  /** Of the last query, less `queryScale`. */
  product(row: number): number
  queryScale(): number
  /** The rows of a block whose products are not less; until the next list. */
  list(block: number, least: { readonly whole: number; readonly passage: number }): Uint32Array
  /** Multiplies rows with the query, of whatever blocks they are. */
  multiply(rows: Int32Array): void
}

export function createScanner({ memory, places, stride, sketcher, blocks }: RowMemory): Scanner {
  const { tables, sketchBytes, list } = places
  const kernel = openScanKernel(memory)
  const query = new Int16Array(memory.buffer, places.query, stride)
  const tabled = new Uint8Array(memory.buffer, tables, list - tables)
  const listed = new Uint32Array(memory.buffer, list, rowsPerBlock)
  const products: Float32Array[] = []
  const state = { queryScale: 1 }
  const readMore = () => {
    for (let block = products.length; block < blocks(); block++)
      products.push(new Float32Array(memory.buffer, places.block(block).products, rowsPerBlock))
  }
  return {
    estimate: (values) => {
      readMore()
      state.queryScale = quantiseQuery(values, query)
      const scale = scaleBy(1 / state.queryScale, sketcher.prepare(values, tabled))
      for (let block = 0; block < products.length; block++) {
        const { sketches, factors, products: into } = places.block(block)
        kernel.estimate({ sketches, factors, sketchBytes, tables, ...scale, into })
      }
    },
    product: (row) => products[Math.floor(row / rowsPerBlock)]?.[row % rowsPerBlock] ?? 0,
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

function scaleBy(times: number, { unit, offset, base }: SketchScale): SketchScale {
  return { unit: times * unit, offset: times * offset, base: times * base }
}
