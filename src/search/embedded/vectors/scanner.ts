import { quantizeQuery } from '../../quantize.ts'
import { type BlockLayout, rowsPerBlock } from './block-layout.ts'
import type { ScanHelper } from './helper/scan-helper.ts'
import {
  createScale,
  type ScanTarget,
  type SharedProgress,
  scanForward,
  writeScale,
} from './helper/work-split.ts'
import type { QuantizedScale } from './quantizer-2bit.ts'
import type { RowMemory } from './row-memory.ts'
import { openScanKernel } from './scan-kernel.ts'

/** Computes products of rows with the current query. */
export interface Scanner {
  /** Starts the helper if there are enough blocks. */
  prepare(query: Float32Array, helper?: ScanHelper): void
  /** Computes an upper bound of each product; `multiply` replaces it with the exact value. */
  estimate(): void
  /** In units of `queryScale`. */
  product(row: number): number
  queryScale(): number
  /** Rows of a block whose products reach the threshold; valid until the next call. */
  list(block: number, threshold: { readonly whole: number; readonly passage: number }): Uint32Array
  /** Computes exact products of rows in any blocks. */
  multiply(rows: Int32Array): void
}

/** Below this count (0.2 ms) waking the helper costs more than it saves. */
const minHelpedBlocks = 8

/** State of the current query. */
interface State {
  queryScale: number
  scale: QuantizedScale
  /** Progress shared with the helper, if it is used. */
  progress?: SharedProgress | undefined
}

export function createScanner({ memory, layout, stride, quantizer, blocks }: RowMemory): Scanner {
  const { tables, helpersTables, quantizedBytes, list } = layout
  const kernel = openScanKernel(memory)
  const query = new Int16Array(memory.buffer, layout.query, stride)
  const ownTables = new Uint8Array(memory.buffer, tables, helpersTables - tables)
  const listed = new Uint32Array(memory.buffer, list, rowsPerBlock)
  const target: ScanTarget = { memory, stride, scale: createScale() }
  const blockProducts: BlockProducts[] = []
  const state: State = { queryScale: 1, scale: { unit: 0, offset: 0, base: 0 } }
  const estimateBlock = (block: number) => {
    const { quantized, factors, products: into } = layout.block(block)
    kernel.estimate({
      quantized,
      factors,
      quantizedBytes,
      tables,
      ...state.scale,
      into,
    })
  }
  return {
    prepare: (values, helper) => {
      for (let block = blockProducts.length; block < blocks(); block++)
        blockProducts.push(openBlockProducts(memory, layout.block(block)))
      state.queryScale = quantizeQuery(values, query)
      state.scale = scaleBy(1 / state.queryScale, quantizer.prepare(values, ownTables))
      const writeQuestion = () => {
        new Uint8Array(memory.buffer, helpersTables, ownTables.length).set(ownTables)
        writeScale(target.scale, state.scale)
      }
      state.progress =
        blockProducts.length < minHelpedBlocks
          ? undefined
          : helper?.help(target, blockProducts.length, writeQuestion)
    },
    estimate: () => {
      const ownBlocks = state.progress
        ? scanForward(state.progress, estimateBlock)
        : blockProducts.length
      if (!state.progress) for (let block = 0; block < ownBlocks; block++) estimateBlock(block)
      for (const { products, helperProducts } of blockProducts.slice(ownBlocks))
        products.set(helperProducts)
    },
    product: (row) =>
      blockProducts[Math.floor(row / rowsPerBlock)]?.products[row % rowsPerBlock] ?? 0,
    queryScale: () => state.queryScale,
    list: (block, { whole, passage }) => {
      const { kinds, products } = layout.block(block)
      const first = block * rowsPerBlock
      const count = kernel.list({ products, kinds, whole, passage, first, into: list })
      return listed.subarray(0, count)
    },
    multiply: (rows) => {
      for (let from = 0; from < rows.length; from += rowsPerBlock) {
        const some = rows.subarray(from, from + rowsPerBlock)
        listed.set(some)
        kernel.multiply({ ...layout, count: some.length, stride })
      }
    },
  }
}

/** Products of a block, and those of the helper. */
type BlockProducts = Readonly<Record<'products' | 'helperProducts', Float32Array>>

function openBlockProducts(
  { buffer }: WebAssembly.Memory,
  { products, helperProducts }: BlockLayout,
): BlockProducts {
  return {
    products: new Float32Array(buffer, products, rowsPerBlock),
    helperProducts: new Float32Array(buffer, helperProducts, rowsPerBlock),
  }
}

function scaleBy(factor: number, { unit, offset, base }: QuantizedScale): QuantizedScale {
  return { unit: factor * unit, offset: factor * offset, base: factor * base }
}
