import { open, readFile } from 'node:fs/promises'
import { parseVocabulary, type Vocabulary } from './vocabulary.ts'
import { parseWeights, type Weights } from './weights.ts'
import { createWordPiece } from './word-piece.ts'

export { splitPassages } from './passages.ts'

/**
 * The vector of a text is the mean of its word pieces. A short text takes microseconds, 24,000 characters
 * take milliseconds; the caller splits longer texts into passages.
 */
export interface StaticModel {
  readonly name: string
  readonly dims: number
  /** Number of word pieces; ids start at 0. */
  readonly pieces: number
  /** Returns the word-piece ids of a text, in order. */
  tokenise(text: string): number[]
  /** Sums the vectors of word pieces. Function words have short vectors and need no further weights. */
  sum(ids: readonly number[]): Float64Array
  /** Returns a unit vector; undefined if the model knows no word of the text. */
  embed(text: string): Float32Array | undefined
  /** Unscaled vector of a word piece; all zeros for an unknown piece. */
  direction(id: number): Int8Array
  /** Cosine of two word pieces; 0 if one is unknown. */
  similarity(id: number, other: number): number
}

/** The model data in shared memory, which threads use without a copy. */
export interface ModelParts {
  readonly weights: Weights
  readonly vocabulary: Vocabulary
}

/** Reads the bundled model, or one of the same format in `folder`. */
export async function readStaticModel(folder = bundledModel()): Promise<ModelParts> {
  const [weights, vocabulary] = await Promise.all([
    readShared(new URL('model.safetensors', folder)),
    readFile(new URL('vocabulary.txt', folder), 'utf8'),
  ])
  return { weights: parseWeights(weights), vocabulary: parseVocabulary(vocabulary) }
}

export function createStaticModel({ weights, vocabulary }: ModelParts): StaticModel {
  const { dims, rows, scales } = weights
  const tokenise = createWordPiece(vocabulary)
  const sum = (ids: readonly number[]) => sumOf(weights, ids)
  return {
    name: 'static-en-256',
    dims,
    pieces: scales.length,
    tokenise,
    sum,
    embed: (text) => toUnit(sum(tokenise(text))),
    direction: (id) => rows.subarray(id * dims, (id + 1) * dims),
    similarity: createSimilarity(weights),
  }
}

/** Returns undefined for a zero vector. */
function toUnit(sum: Float64Array): Float32Array | undefined {
  let squares = 0
  for (const value of sum) squares += value * value
  if (squares === 0) return undefined
  const length = Math.sqrt(squares)
  return new Float32Array(sum.map((value) => value / length))
}

// Hot loop: no bounds checks; unrolling by four takes two thirds of the time.
function sumOf({ rows, scales, dims }: Weights, ids: readonly number[]): Float64Array {
  const sum = new Float64Array(dims)
  for (const id of ids) {
    const scale = scales[id] as number
    const start = id * dims
    for (let index = 0; index < dims; index += 4) {
      const offset = start + index
      sum[index] = (sum[index] as number) + scale * (rows[offset] as number)
      sum[index + 1] = (sum[index + 1] as number) + scale * (rows[offset + 1] as number)
      sum[index + 2] = (sum[index + 2] as number) + scale * (rows[offset + 2] as number)
      sum[index + 3] = (sum[index + 3] as number) + scale * (rows[offset + 3] as number)
    }
  }
  return sum
}

function createSimilarity({ rows, scales, dims }: Weights): StaticModel['similarity'] {
  const product = (id: number, other: number) => {
    let sum = 0
    for (let at = 0; at < dims; at += 1)
      sum += (rows[id * dims + at] as number) * (rows[other * dims + at] as number)
    return sum
  }
  // 0 marks a length that is not computed yet.
  const lengths = new Float32Array(scales.length)
  const lengthOf = (id: number) => {
    const length = lengths[id] || Math.sqrt(product(id, id))
    lengths[id] = length
    return length
  }
  return (id, other) => {
    const norm = lengthOf(id) * lengthOf(other)
    return norm > 0 ? product(id, other) / norm : 0
  }
}

/** Reads directly into shared memory, without a temporary copy. */
async function readShared(file: URL): Promise<SharedArrayBuffer> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const memory = new SharedArrayBuffer(size)
    await handle.read(Buffer.from(memory), 0, size, 0)
    return memory
  } finally {
    await handle.close()
  }
}

/** Relative to the build or to the sources. */
function bundledModel(): URL {
  const root = import.meta.url.endsWith('.ts') ? '../../' : '../../../'
  return new URL(`${root}models/static-en-256/`, import.meta.url)
}
