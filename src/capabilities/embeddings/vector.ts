import { type StaticModel, splitPassages } from '../../static-model/index.ts'
import { type Embedded, EmbeddingFailure } from './embedder.ts'

/** Normalises a vector to unit length; returns undefined for a zero vector. */
export function toUnitVector(values: ArrayLike<number>, dims: number): Float32Array | undefined {
  if (values.length !== dims)
    throw new EmbeddingFailure(
      'provider',
      `the model returned ${values.length} dimensions, not ${dims}`,
    )
  const vector = new Float32Array(values)
  let squares = 0
  for (const value of vector) squares += value * value
  if (!Number.isFinite(squares))
    throw new EmbeddingFailure('text', 'the model returned a number that is not finite')
  const length = Math.sqrt(squares)
  if (length === 0) return undefined
  for (let index = 0; index < dims; index += 1) vector[index] = (vector[index] as number) / length
  return vector
}

/** Little-endian f32, the storage format. */
export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

/** Copies the bytes, because a Float32Array needs 4-byte alignment. */
export function toVector(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer)
}

/** Embeds synchronously; returns undefined for a zero vector. */
export function embedText(
  { dims, sum, tokenise }: StaticModel,
  text: string,
): Embedded | undefined {
  const parts = splitPassages(text).map((passage) => sum(tokenise(passage)))
  return toEmbedded(parts, dims)
}

/** The vector of the whole text is the sum of its passages; a single passage is the whole. */
export function toEmbedded(parts: readonly Float64Array[], dims: number): Embedded | undefined {
  const [only] = parts
  if (parts.length > 1 || !only) return combinePassages(parts, dims)
  const whole = toUnitVector(only, dims)
  return whole && { whole, passages: [] }
}

function combinePassages(parts: readonly Float64Array[], dims: number): Embedded | undefined {
  const total = new Float64Array(dims)
  for (const part of parts)
    for (let index = 0; index < dims; index += 1)
      total[index] = (total[index] ?? 0) + (part[index] ?? 0)
  const whole = toUnitVector(total, dims)
  return whole && { whole, passages: parts.map((part) => toUnitVector(part, dims)) }
}
