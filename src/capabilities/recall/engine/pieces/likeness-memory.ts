import { instantiate } from '../vectors/instantiate.ts'
import { likenessKernel } from './likeness-kernel-binary.ts'

const bytesAtOnce = 16
const queriesAtOnce = 4
const pageBytes = 65_536
/** Pieces of texts at once, unless a text alone has more: 256 KB. */
const mostHeld = 65_536

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
  /** Of some texts all pieces, one text behind the other. */
  readonly held: Uint32Array
  /** Pieces that are to be compared. */
  readonly list: Uint32Array
  /** By piece so many bytes as `widthOf` tells: how like each query it is. */
  readonly table: Uint8Array
  readonly largest: Uint8Array
  widthOf(queries: number): number
  /** Lists what is held first and was not listed since `forget`, each piece once; gives how many there are. */
  listNew(held: number): number
  forget(): void
  /** Writes into the table of the first so many of the list. */
  compare(listed: number, queries: number): void
  /** Writes what of the table is largest for each query among what is held from here to there. */
  takeLargest(from: number, to: number, queries: number): void
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
    marks: place(4 * pieces),
    held: place(4 * Math.max(mostHeld, pieces)),
    table: place(queries * pieces),
    rows: place(stride * pieces),
  }
  const pages = Math.ceil(place(0) / pageBytes)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const { buffer } = memory
  const kernel = instantiate(likenessKernel, memory) as unknown as Kernel
  let mark = 0
  const widthOf = (queries: number) => roundUp(queries, bytesAtOnce)
  return {
    ...{ stride, widthOf },
    rows: new Int8Array(buffer, at.rows, stride * pieces),
    scales: new Float32Array(buffer, at.scales, pieces),
    queries: new Int16Array(buffer, at.queries, queries * stride),
    queryScales: new Float64Array(buffer, at.queryScales, queries),
    held: new Uint32Array(buffer, at.held, Math.max(mostHeld, pieces)),
    list: new Uint32Array(buffer, at.list, pieces),
    table: new Uint8Array(buffer, at.table, queries * pieces),
    largest: new Uint8Array(buffer, at.largest, queries),
    compare: (listed, queries) => {
      const asked = roundUp(queries, queriesAtOnce)
      const of = [at.rows, at.scales, at.list, listed, stride] as const
      kernel.compare(...of, at.queries, at.queryScales, asked, widthOf(queries), at.table)
    },
    listNew: (held) => kernel.listUnmarked(at.held, held, at.marks, mark, at.list),
    forget: () => {
      mark += 1
    },
    takeLargest: (from, to, queries) => {
      const pieces = [at.held + 4 * from, to - from] as const
      kernel.takeLargest(at.table, ...pieces, widthOf(queries), at.largest)
    },
  }
}

interface Kernel {
  listUnmarked(...numbers: readonly number[]): number
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
