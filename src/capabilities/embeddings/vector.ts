import { EmbeddingFailure } from './embedder.ts'

/** What a provider has answered for one text, made one unit long; undefined when it has no direction. */
export function toUnitVector(answered: ArrayLike<number>, dims: number): Float32Array | undefined {
  if (answered.length !== dims)
    throw new EmbeddingFailure(
      'provider',
      `the model answered ${answered.length} numbers, not ${dims}`,
    )
  const vector = new Float32Array(answered)
  let squares = 0
  for (const value of vector) squares += value * value
  if (!Number.isFinite(squares))
    throw new EmbeddingFailure('text', 'the model answered what is no number')
  const length = Math.sqrt(squares)
  if (length === 0) return undefined
  for (let at = 0; at < dims; at += 1) vector[at] = (vector[at] as number) / length
  return vector
}

/** As it is kept: four bytes for each number, the lowest first. */
export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

/** A copy begins where a number of four bytes may. */
export function toVector(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer)
}
