const maxByte = 127
/** A residual is at most half a step, so 254 steps fill a byte. */
const residualSteps = 254

/**
 * Writes a vector as int8 values and int8 residuals, 16 bits in total, padded with zeros. Returns
 * the common scale.
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

/** Products of 8-bit and 16-bit integers are summed in 32 bits. */
const maxSum = 2 ** 31 - 1
const maxInt16 = 32_767

/** Writes a query as 16-bit integers, as large as the sums allow, padded with zeros. Returns the scale. */
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
