const largest = 127
/** A remainder is at most half a step: it takes 254 to fill a byte. */
const remainders = 254

/**
 * Writes a vector as signed bytes, zeros behind it, and as signed bytes for what they leave out: together
 * 16 bits a number. Gives the scale of both.
 */
export function quantise(vector: Float32Array, bytes: Int8Array, rest: Int8Array): number {
  let most = 0
  for (const value of vector) most = Math.max(most, Math.abs(value))
  const scale = most / largest || 1
  bytes.fill(0, vector.length)
  rest.fill(0, vector.length)
  for (let at = 0; at < vector.length; at++) {
    const exact = (vector[at] ?? 0) / scale
    const byte = Math.round(exact)
    bytes[at] = byte
    rest[at] = Math.round((exact - byte) * remainders)
  }
  return scale
}

/** Products of bytes and numbers of 16 bits are added up in 32. */
const largestSum = 2 ** 31 - 1
const largestShort = 32_767

/** Writes a query as whole numbers, zeros behind it, as large as no sum of products is too large. Gives their scale. */
export function quantiseQuery(query: Float32Array, into: Int16Array): number {
  const mostOf = Math.min(largestShort, Math.floor(largestSum / (largest * query.length)))
  let most = 0
  for (const value of query) most = Math.max(most, Math.abs(value))
  const scale = most / mostOf || 1
  into.fill(0, query.length)
  for (let at = 0; at < query.length; at++) into[at] = Math.round((query[at] as number) / scale)
  return scale
}

export interface Quantised {
  readonly bytes: Int8Array
  readonly rest: Int8Array
  readonly scale: number
}

export function restore({ bytes, rest, scale }: Quantised, dims: number): Float32Array {
  const vector = new Float32Array(dims)
  for (let at = 0; at < dims; at++)
    vector[at] = scale * ((bytes[at] as number) + (rest[at] as number) / remainders)
  return vector
}
