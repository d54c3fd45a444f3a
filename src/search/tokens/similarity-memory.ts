import { instantiate } from '../instantiate.ts'
import { similarityKernel } from './similarity-kernel-binary.ts'

/** Likeness is told in squared cosines as bytes. */
export const maxSimilarity = 255

const alignment = 16
const queriesPerPass = 4
const pageBytes = 65_536
/** Pieces of texts at once, of which each is 16 bits: a text has no more distinct ones. */
const maxBatchTokens = 65_536

interface Size {
  readonly dims: number
  readonly pieces: number
  /** How many queries there may be, a multiple of 16. */
  readonly queries: number
}

/** What the machine code that compares pieces works on. What is never written takes no memory. */
export interface SimilarityMemory {
  /** Bytes of a row of `rows`, which is of a piece, and numbers of one of `queries`. */
  readonly stride: number
  readonly rows: Int8Array
  /** By piece, one over the length of its row. */
  readonly scales: Float32Array
  readonly queries: Int16Array
  readonly queryScales: Float64Array
  /** Of some texts all pieces, one text behind the other. */
  readonly batch: Uint16Array
  /** Pieces that are compared, each once. */
  readonly listed: Uint16Array
  readonly largest: Uint8Array
  /**
   * Lists what is held first behind the `known` that are listed already, and puts in its place where
   * it stands in the list. Gives how many are listed then.
   */
  list(batch: number, known: number): number
  /** Writes into a table how like each query those are that are listed from here to there. */
  compare(from: number, to: number, queries: number): void
  /** Writes there that a piece is alike to its own query, if it is among so many that are listed. */
  setExactMatches(queries: readonly number[], count: number): void
  /** Writes what of the table is largest for each query among what is held from here to there. */
  takeLargest(from: number, to: number, queries: number): void
}

export function createSimilarityMemory({ dims, pieces, queries }: Size): SimilarityMemory {
  const stride = roundUp(dims, alignment)
  const allocate = createAllocator()
  const at = {
    queryScales: allocate(8 * queries),
    queries: allocate(2 * queries * stride),
    largest: allocate(queries),
    scales: allocate(4 * pieces),
    listed: allocate(2 * pieces),
    places: allocate(2 * pieces),
    batch: allocate(2 * maxBatchTokens),
    table: allocate(queries * pieces),
    rows: allocate(stride * pieces),
  }
  const pages = Math.ceil(allocate(0) / pageBytes)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const { buffer } = memory
  const kernel = instantiate(similarityKernel, memory) as unknown as Kernel
  const listed = new Uint16Array(buffer, at.listed, pieces)
  const places = new Uint16Array(buffer, at.places, pieces)
  const table = new Uint8Array(buffer, at.table, queries * pieces)
  const widthOf = (queries: number) => roundUp(queries, alignment)
  return {
    stride,
    rows: new Int8Array(buffer, at.rows, stride * pieces),
    scales: new Float32Array(buffer, at.scales, pieces),
    queries: new Int16Array(buffer, at.queries, queries * stride),
    queryScales: new Float64Array(buffer, at.queryScales, queries),
    batch: new Uint16Array(buffer, at.batch, maxBatchTokens),
    listed,
    largest: new Uint8Array(buffer, at.largest, queries),
    list: (batch, known) => kernel.list(at.batch, batch, at.places, at.listed, known),
    compare: (from, to, queries) => {
      const paddedQueries = roundUp(queries, queriesPerPass)
      const width = widthOf(queries)
      const of = [at.rows, at.scales, at.listed + 2 * from, to - from, stride] as const
      kernel.compare(
        ...of,
        at.queries,
        at.queryScales,
        paddedQueries,
        width,
        at.table + width * from,
      )
    },
    setExactMatches: (queries, count) => {
      const width = widthOf(queries.length)
      for (const [at, piece] of queries.entries()) {
        const allocate = places[piece] as number
        if (allocate < count && listed[allocate] === piece)
          table[allocate * width + at] = maxSimilarity
      }
    },
    takeLargest: (from, to, queries) =>
      kernel.takeLargest(at.table, at.batch + 2 * from, to - from, widthOf(queries), at.largest),
  }
}

interface Kernel {
  list(...numbers: readonly number[]): number
  compare(...numbers: readonly number[]): void
  takeLargest(...numbers: readonly number[]): void
}

/** Gives each its place, one behind the other. */
function createAllocator() {
  let end = 0
  return (bytes: number) => {
    const from = end
    end = roundUp(from + bytes, alignment)
    return from
  }
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step
}
