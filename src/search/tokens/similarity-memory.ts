import { instantiate } from '../instantiate.ts'
import { similarityKernel } from './similarity-kernel-binary.ts'

/** Similarity is a squared cosine, scaled to a byte. */
export const maxSimilarity = 255

const alignment = 16
const queriesPerPass = 4
const pageBytes = 65_536
/** Tokens per batch. Tokens have 16 bits, so a text has no more distinct ones. */
const maxBatchTokens = 65_536

interface Size {
  readonly dims: number
  readonly pieces: number
  /** The maximum number of queries, a multiple of 16. */
  readonly queries: number
}

/** WebAssembly memory of the similarity kernel. Unwritten pages take no memory. */
export interface SimilarityMemory {
  /** Bytes of a row in `rows`, and numbers of a row in `queries`. */
  readonly stride: number
  readonly rows: Int8Array
  /** By token: the inverse length of its row. */
  readonly scales: Float32Array
  readonly queries: Int16Array
  readonly queryScales: Float64Array
  /** All tokens of a batch of texts. */
  readonly batch: Uint16Array
  /** Distinct tokens to compare. */
  readonly listed: Uint16Array
  readonly largest: Uint8Array
  /**
   * Appends the tokens of the batch to the `known` listed ones and replaces each by its index in
   * the list. Returns the new length of the list.
   */
  list(batch: number, known: number): number
  /** Writes the similarities of a range of listed tokens with each query to the table. */
  compare(from: number, to: number, queries: number): void
  /** Sets the similarity of a token with itself, if it is listed. */
  setExactMatches(queries: readonly number[], count: number): void
  /** Writes the maximum similarity of each query in a range of the batch. */
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
    indexByToken: allocate(2 * pieces),
    batch: allocate(2 * maxBatchTokens),
    table: allocate(queries * pieces),
    rows: allocate(stride * pieces),
  }
  const pages = Math.ceil(allocate(0) / pageBytes)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const { buffer } = memory
  const kernel = instantiate(similarityKernel, memory) as unknown as Kernel
  const listed = new Uint16Array(buffer, at.listed, pieces)
  const indexByToken = new Uint16Array(buffer, at.indexByToken, pieces)
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
    list: (batch, known) => kernel.list(at.batch, batch, at.indexByToken, at.listed, known),
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
        const allocate = indexByToken[piece] as number
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

/** Allocates aligned ranges. */
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
