import { type QuantizedVector, quantize } from '../../quantize.ts'
import { type BlockLayout, layoutFor, rowsPerBlock } from './block-layout.ts'
import { createQuantizer2Bit, type Quantizer2Bit } from './quantizer-2bit.ts'
import { createScanMemory, growTo } from './scan-kernel.ts'

/** int8 vectors with residuals, their 2-bit quantized form and their kind, in WebAssembly memory. */
export interface RowMemory {
  readonly memory: WebAssembly.Memory
  readonly layout: ReturnType<typeof layoutFor>
  readonly stride: number
  readonly quantizer: Quantizer2Bit
  /** The centroid of the quantizer; initially zero. */
  readonly centroid: Float32Array
  /** All rows must be quantized again. */
  setCentroid(centroid: Float32Array): void
  blocks(): number
  /** Adds capacity, one block by default. */
  addBlocks(more?: number): void
  write(row: number, vector: Float32Array): void
  /** Quantizes a stored row. */
  writeQuantized(row: number, vector: Float32Array): void
  read(row: number): QuantizedVector
  setKind(row: number, isPassage: boolean): void
  /** Stored bytes of a block, for snapshots. */
  block(block: number): Uint8Array
}

/** Views of the stored parts of a block. */
type Block = Readonly<
  Record<'scales' | 'factors', Float32Array> & {
    rows: Int8Array
    quantized: Uint8Array
    kinds: Uint8Array
  }
>

export function createRowMemory(dims: number): RowMemory {
  const stride = Math.ceil(dims / 16) * 16
  const layout = layoutFor(stride)
  const memory = createScanMemory(layout.blocks)
  const quantizer = createQuantizer2Bit(stride)
  const buffer = new Uint8Array(layout.quantizedBytes)
  const centroid = new Float32Array(dims)
  const blocks: Block[] = []
  const blockOf = (row: number) => blocks[Math.floor(row / rowsPerBlock)] as Block
  const writeQuantized = (row: number, vector: Float32Array) => {
    const { quantized, factors } = blockOf(row)
    const at = row % rowsPerBlock
    factors[at] = quantizer.quantize(vector, buffer)
    interleave(quantized, at, buffer)
  }
  return {
    memory,
    layout,
    stride,
    quantizer,
    centroid,
    setCentroid: (values) => {
      centroid.set(values)
      quantizer.setCentroid(values)
    },
    blocks: () => blocks.length,
    addBlocks: (more = 1) => {
      const count = blocks.length + more
      growTo(memory, layout.block(count).rows)
      for (let block = blocks.length; block < count; block++)
        blocks.push(toBlock(memory.buffer, layout.block(block), stride))
    },
    write: (row, vector) => {
      const { scales, rows } = blockOf(row)
      const at = row % rowsPerBlock
      const { bytes, residuals } = readBytes(rows, at, stride)
      scales[at] = quantize(vector, bytes, residuals)
      writeQuantized(row, vector)
    },
    writeQuantized,
    read: (row) => {
      const { rows, scales } = blockOf(row)
      const at = row % rowsPerBlock
      return { ...readBytes(rows, at, stride), scale: scales[at] as number }
    },
    setKind: (row, isPassage) => {
      blockOf(row).kinds[row % rowsPerBlock] = isPassage ? 255 : 0
    },
    block: (block) => new Uint8Array(memory.buffer, layout.block(block).rows, layout.storedBytes),
  }
}

function toBlock(buffer: ArrayBufferLike, layout: BlockLayout, stride: number): Block {
  return {
    rows: new Int8Array(buffer, layout.rows, 2 * rowsPerBlock * stride),
    scales: new Float32Array(buffer, layout.scales, rowsPerBlock),
    quantized: new Uint8Array(buffer, layout.quantized, layout.factors - layout.quantized),
    factors: new Float32Array(buffer, layout.factors, rowsPerBlock),
    kinds: new Uint8Array(buffer, layout.kinds, rowsPerBlock),
  }
}

function readBytes(rows: Int8Array, at: number, stride: number): Omit<QuantizedVector, 'scale'> {
  const from = 2 * at * stride
  const middle = from + stride
  return { bytes: rows.subarray(from, middle), residuals: rows.subarray(middle, middle + stride) }
}

/** Sixteen rows are interleaved byte by byte. */
function interleave(quantized: Uint8Array, at: number, writeQuantized: Uint8Array): void {
  const rowsPerGroup = 16
  const from =
    Math.floor(at / rowsPerGroup) * rowsPerGroup * writeQuantized.length + (at % rowsPerGroup)
  for (let byte = 0; byte < writeQuantized.length; byte++)
    quantized[from + byte * rowsPerGroup] = writeQuantized[byte] as number
}
