const maxByte = 127
/** A remainder is at most half a step: it takes 254 to fill a byte. */
const residualSteps = 254

/**
 * Writes a vector as signed bytes, zeros behind it, and as signed bytes for what they leave out: together
 * 16 bits a number. Gives the scale of both.
 */
export function quantize(vector: Float32Array, bytes: Int8Array, residuals: Int8Array): number {
  let max = 0
  for (const value of vector) max = Math.max(max, Math.abs(value))
  const scale = max / maxByte || 1
  bytes.fill(0, vector.length)
  residuals.fill(0, vector.length)
  for (let at = 0; at < vector.length; at++) {
    const exact = (vector[at] ?? 0) / scale
    const byte = Math.round(exact)
    bytes[at] = byte
    residuals[at] = Math.round((exact - byte) * residualSteps)
  }
  return scale
}

/** Products of bytes and numbers of 16 bits are added up in 32. */
const maxSum = 2 ** 31 - 1
const maxInt16 = 32_767

/** Writes a query as whole numbers, zeros behind it, as large as no sum of products is too large. Gives their scale. */
export function quantizeQuery(query: Float32Array, into: Int16Array): number {
  const maxEntry = Math.min(maxInt16, Math.floor(maxSum / (maxByte * query.length)))
  let max = 0
  for (const value of query) max = Math.max(max, Math.abs(value))
  const scale = max / maxEntry || 1
  into.fill(0, query.length)
  for (let at = 0; at < query.length; at++) into[at] = Math.round((query[at] as number) / scale)
  return scale
}

export interface QuantizedVector {
  readonly bytes: Int8Array
  readonly residuals: Int8Array
  readonly scale: number
}

export function dequantize(
  { bytes, residuals, scale }: QuantizedVector,
  dims: number,
): Float32Array {
  const vector = new Float32Array(dims)
  for (let at = 0; at < dims; at++)
    vector[at] = scale * ((bytes[at] as number) + (residuals[at] as number) / residualSteps)
  return vector
}
