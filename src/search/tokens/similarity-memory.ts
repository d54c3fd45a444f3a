import { instantiate } from '../instantiate.ts'
import { similarityKernel } from './similarity-kernel-binary.ts'

/** Likeness is told in squared cosines as bytes. */
export const alike = 255

const bytesAtOnce = 16
const queriesAtOnce = 4
const pageBytes = 65_536
/** Pieces of texts at once, of which each is 16 bits: a text has no more distinct ones. */
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
  readonly held: Uint16Array
  /** Pieces that are compared, each once. */
  readonly listed: Uint16Array
  readonly largest: Uint8Array
  /**
   * Lists what is held first behind the `known` that are listed already, and puts in its place where
   * it stands in the list. Gives how many are listed then.
   */
  list(held: number, known: number): number
  /** Writes into a table how like each query those are that are listed from here to there. */
  compare(from: number, to: number, queries: number): void
  /** Writes there that a piece is alike to its own query, if it is among so many that are listed. */
  setAlike(queries: readonly number[], count: number): void
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
    listed: place(2 * pieces),
    places: place(2 * pieces),
    held: place(2 * mostHeld),
    table: place(queries * pieces),
    rows: place(stride * pieces),
  }
  const pages = Math.ceil(place(0) / pageBytes)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const { buffer } = memory
  const kernel = instantiate(similarityKernel, memory) as unknown as Kernel
  const listed = new Uint16Array(buffer, at.listed, pieces)
  const places = new Uint16Array(buffer, at.places, pieces)
  const table = new Uint8Array(buffer, at.table, queries * pieces)
  const widthOf = (queries: number) => roundUp(queries, bytesAtOnce)
  return {
    stride,
    rows: new Int8Array(buffer, at.rows, stride * pieces),
    scales: new Float32Array(buffer, at.scales, pieces),
    queries: new Int16Array(buffer, at.queries, queries * stride),
    queryScales: new Float64Array(buffer, at.queryScales, queries),
    held: new Uint16Array(buffer, at.held, mostHeld),
    listed,
    largest: new Uint8Array(buffer, at.largest, queries),
    list: (held, known) => kernel.list(at.held, held, at.places, at.listed, known),
    compare: (from, to, queries) => {
      const asked = roundUp(queries, queriesAtOnce)
      const width = widthOf(queries)
      const of = [at.rows, at.scales, at.listed + 2 * from, to - from, stride] as const
      kernel.compare(...of, at.queries, at.queryScales, asked, width, at.table + width * from)
    },
    setAlike: (queries, count) => {
      const width = widthOf(queries.length)
      for (const [at, piece] of queries.entries()) {
        const place = places[piece] as number
        if (place < count && listed[place] === piece) table[place * width + at] = alike
      }
    },
    takeLargest: (from, to, queries) =>
      kernel.takeLargest(at.table, at.held + 2 * from, to - from, widthOf(queries), at.largest),
  }
}

interface Kernel {
  list(...numbers: readonly number[]): number
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
