import { open, readFile } from 'node:fs/promises'
import { parseVocabulary, type Vocabulary } from './vocabulary.ts'
import { parseWeights, type Weights } from './weights.ts'
import { createWordPiece } from './word-piece.ts'

export { splitPassages } from './passages.ts'

/**
 * A text is the mean of its word pieces, so a short one costs microseconds and 24,000 characters
 * cost milliseconds: whoever embeds what is longer does it in passages.
 */
export interface StaticModel {
  readonly name: string
  readonly dims: number
  /** How many word pieces there are; their ids begin at 0. */
  readonly pieces: number
  /** The ids of a text's word pieces, in their order. */
  tokenise(text: string): number[]
  /** What these pieces add up to; function words are short vectors, so no other weights are needed. */
  sum(ids: readonly number[]): Float64Array
  /** Of unit length; undefined where the model knows none of the words. */
  embed(text: string): Float32Array | undefined
  /** Where a word piece points, at no scale; nothing but zeros for one the model does not know. */
  direction(id: number): Int8Array
  /** The cosine of two word pieces; 0 where the model does not know one of them. */
  likeness(id: number, other: number): number
}

/** What a model is made of: plain data in shared memory, of which another thread is given no copy. */
export interface ModelParts {
  readonly weights: Weights
  readonly vocabulary: Vocabulary
}

/** Reads the model that comes with the package, or one like it from another folder. */
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
    likeness: createLikeness(weights),
  }
}

/** Undefined where there is no direction. */
function toUnit(sum: Float64Array): Float32Array | undefined {
  let squares = 0
  for (const value of sum) squares += value * value
  if (squares === 0) return undefined
  const length = Math.sqrt(squares)
  return new Float32Array(sum.map((value) => value / length))
}

// Whether an index is within its array is not asked where it is asked millions of times; four at a
// time take two thirds of the time of one.
function sumOf({ rows, scales, dims }: Weights, ids: readonly number[]): Float64Array {
  const sum = new Float64Array(dims)
  for (const id of ids) {
    const scale = scales[id] as number
    const start = id * dims
    for (let at = 0; at < dims; at += 4) {
      const from = start + at
      sum[at] = (sum[at] as number) + scale * (rows[from] as number)
      sum[at + 1] = (sum[at + 1] as number) + scale * (rows[from + 1] as number)
      sum[at + 2] = (sum[at + 2] as number) + scale * (rows[from + 2] as number)
      sum[at + 3] = (sum[at + 3] as number) + scale * (rows[from + 3] as number)
    }
  }
  return sum
}

function createLikeness({ rows, scales, dims }: Weights): StaticModel['likeness'] {
  const product = (id: number, other: number) => {
    let sum = 0
    for (let at = 0; at < dims; at += 1)
      sum += (rows[id * dims + at] as number) * (rows[other * dims + at] as number)
    return sum
  }
  // A length of 0 is not known yet.
  const lengths = new Float32Array(scales.length)
  const lengthOf = (id: number) => {
    const length = lengths[id] || Math.sqrt(product(id, id))
    lengths[id] = length
    return length
  }
  return (id, other) => {
    const lengthened = lengthOf(id) * lengthOf(other)
    return lengthened > 0 ? product(id, other) / lengthened : 0
  }
}

/** The bytes are read to where they stay: no second copy waits to be collected. */
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

/** Beside the build, or above the sources. */
function bundledModel(): URL {
  const root = import.meta.url.endsWith('.ts') ? '../../' : '../../../'
  return new URL(`${root}models/static-en-256/`, import.meta.url)
}
