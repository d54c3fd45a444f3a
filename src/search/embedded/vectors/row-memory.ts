import { type Quantised, quantise } from '../../quantize.ts'
import { type BlockPlaces, placesIn, rowsPerBlock } from './block-layout.ts'
import { createSketcher, type Sketcher } from './quantizer-2bit.ts'
import { createScanMemory, growTo } from './scan-kernel.ts'

/** Quantised vectors, each with a sketch and a kind, in a memory that machine code reads. */
export interface RowMemory {
  readonly memory: WebAssembly.Memory
  readonly places: ReturnType<typeof placesIn>
  readonly stride: number
  readonly sketcher: Sketcher
  /** Of the sketches; zeros at first. */
  readonly centre: Float32Array
  /** All that is there is to be sketched anew. */
  setCentre(centre: Float32Array): void
  blocks(): number
  /** Room for more of them, one unless said otherwise. */
  addBlocks(more?: number): void
  write(row: number, vector: Float32Array): void
  /** Of what was written. */
  sketch(row: number, vector: Float32Array): void
  read(row: number): Quantised
  setKind(row: number, isPassage: boolean): void
  /** All that is written of the rows of a block, for snapshots. */
  block(block: number): Uint8Array
}

/** What is written of a block. */
type Block = Readonly<
  Record<'scales' | 'factors', Float32Array> & {
    rows: Int8Array
    sketches: Uint8Array
    kinds: Uint8Array
  }
>

export function createRowMemory(dims: number): RowMemory {
  const stride = Math.ceil(dims / 16) * 16
  const places = placesIn(stride)
  const memory = createScanMemory(places.blocks)
  const sketcher = createSketcher(stride)
  const sketched = new Uint8Array(places.sketchBytes)
  const centre = new Float32Array(dims)
  const blocks: Block[] = []
  const blockOf = (row: number) => blocks[Math.floor(row / rowsPerBlock)] as Block
  const sketch = (row: number, vector: Float32Array) => {
    const { sketches, factors } = blockOf(row)
    const at = row % rowsPerBlock
    factors[at] = sketcher.sketch(vector, sketched)
    writeSketch(sketches, at, sketched)
  }
  return {
    ...{ memory, places, stride, sketcher, centre },
    setCentre: (values) => {
      centre.set(values)
      sketcher.setCentre(values)
    },
    blocks: () => blocks.length,
    addBlocks: (more = 1) => {
      const count = blocks.length + more
      growTo(memory, places.block(count).rows)
      for (let block = blocks.length; block < count; block++)
        blocks.push(toBlock(memory.buffer, places.block(block), stride))
    },
    write: (row, vector) => {
      const { scales, rows } = blockOf(row)
      const at = row % rowsPerBlock
      const { bytes, rest } = readBytes(rows, at, stride)
      scales[at] = quantise(vector, bytes, rest)
      sketch(row, vector)
    },
    sketch,
    read: (row) => {
      const { rows, scales } = blockOf(row)
      const at = row % rowsPerBlock
      return { ...readBytes(rows, at, stride), scale: scales[at] as number }
    },
    setKind: (row, isPassage) => {
      blockOf(row).kinds[row % rowsPerBlock] = isPassage ? 255 : 0
    },
    block: (block) => new Uint8Array(memory.buffer, places.block(block).rows, places.writtenBytes),
  }
}

function toBlock(buffer: ArrayBufferLike, places: BlockPlaces, stride: number): Block {
  return {
    rows: new Int8Array(buffer, places.rows, 2 * rowsPerBlock * stride),
    scales: new Float32Array(buffer, places.scales, rowsPerBlock),
    sketches: new Uint8Array(buffer, places.sketches, places.factors - places.sketches),
    factors: new Float32Array(buffer, places.factors, rowsPerBlock),
    kinds: new Uint8Array(buffer, places.kinds, rowsPerBlock),
  }
}

function readBytes(rows: Int8Array, at: number, stride: number): Omit<Quantised, 'scale'> {
  const from = 2 * at * stride
  const middle = from + stride
  return { bytes: rows.subarray(from, middle), rest: rows.subarray(middle, middle + stride) }
}

/** Sixteen rows stand side by side, a byte of each. */
function writeSketch(sketches: Uint8Array, at: number, sketch: Uint8Array): void {
  const beside = 16
  const from = Math.floor(at / beside) * beside * sketch.length + (at % beside)
  for (let byte = 0; byte < sketch.length; byte++)
    sketches[from + byte * beside] = sketch[byte] as number
}
