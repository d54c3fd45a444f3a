import { instantiate } from '../vectors/instantiate.ts'
import { likenessKernel } from './likeness-kernel-binary.ts'

const bytesAtOnce = 16
const queriesAtOnce = 4
const pageBytes = 65_536

interface Size {
  readonly dims: number
  readonly pieces: number
  /** How many queries there may be, a multiple of 16. */
  readonly queries: number
}

/** What the machine code that compares pieces works on. What is never written takes no memory. */
export interface LikenessMemory {
  /** Bytes of a row of `rows`, which is of a piece, and numbers of one of `queries`. */
  readonly stride: number
  readonly rows: Int8Array
  /** By piece, one over the length of its row. */
  readonly scales: Float32Array
  readonly queries: Int16Array
  readonly queryScales: Float64Array
  /** Pieces. */
  readonly list: Uint32Array
  /** By piece so many bytes as `widthOf` tells: how like each query it is. */
  readonly table: Uint8Array
  readonly largest: Uint8Array
  widthOf(queries: number): number
  /** Writes into the table of the first so many of the list. */
  compare(listed: number, queries: number): void
  /** Writes what of the table is largest for each query among the first so many of the list. */
  takeLargest(listed: number, queries: number): void
}

export function createLikenessMemory({ dims, pieces, queries }: Size): LikenessMemory {
  const stride = roundUp(dims, bytesAtOnce)
  const place = createPlaces()
  const at = {
    queryScales: place(8 * queries),
    queries: place(2 * queries * stride),
    largest: place(queries),
    scales: place(4 * pieces),
    list: place(4 * pieces),
    table: place(queries * pieces),
    rows: place(stride * pieces),
  }
  const pages = Math.ceil(place(0) / pageBytes)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const { buffer } = memory
  const { compare, takeLargest } = instantiate(likenessKernel, memory) as unknown as Kernel
  const widthOf = (queries: number) => roundUp(queries, bytesAtOnce)
  return {
    ...{ stride, widthOf },
    rows: new Int8Array(buffer, at.rows, stride * pieces),
    scales: new Float32Array(buffer, at.scales, pieces),
    queries: new Int16Array(buffer, at.queries, queries * stride),
    queryScales: new Float64Array(buffer, at.queryScales, queries),
    list: new Uint32Array(buffer, at.list, pieces),
    table: new Uint8Array(buffer, at.table, queries * pieces),
    largest: new Uint8Array(buffer, at.largest, queries),
    compare: (listed, queries) => {
      const asked = roundUp(queries, queriesAtOnce)
      const of = [at.rows, at.scales, at.list, listed, stride] as const
      compare(...of, at.queries, at.queryScales, asked, widthOf(queries), at.table)
    },
    takeLargest: (listed, queries) =>
      takeLargest(at.table, at.list, listed, widthOf(queries), at.largest),
  }
}

interface Kernel {
  compare(...numbers: readonly number[]): void
  takeLargest(...numbers: readonly number[]): void
}

/** Gives each its place, one behind the other. */
function createPlaces() {
  let end = 0
  return (bytes: number) => {
    const from = end
    end = roundUp(from + bytes, bytesAtOnce)
    return from
  }
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step
}
