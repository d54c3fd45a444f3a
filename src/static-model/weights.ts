/** The vector of piece `id` is `scales[id]` times its row, in shared memory. */
export interface Weights {
  readonly dims: number
  readonly rows: Int8Array<SharedArrayBuffer>
  readonly scales: Float32Array<SharedArrayBuffer>
}

interface TensorHeader {
  readonly shape: readonly number[]
  /** Byte offsets from the end of the header. */
  readonly data_offsets: readonly [from: number, to: number]
}

/** Parses `safetensors`: header length, JSON header, data. */
export function parseWeights(file: SharedArrayBuffer): Weights {
  const bytes = Buffer.from(file)
  const start = 8 + Number(bytes.readBigUInt64LE(0))
  const { embeddings, scales }: Readonly<Record<'embeddings' | 'scales', TensorHeader>> =
    JSON.parse(bytes.toString('utf8', 8, start))
  const [count = 0, dims = 0] = embeddings.shape
  const [rowsStart, rowsEnd] = embeddings.data_offsets
  const [scalesStart, scalesEnd] = scales.data_offsets
  const hasFullSize = rowsEnd - rowsStart === count * dims && scalesEnd - scalesStart === 4 * count
  if (dims === 0 || !hasFullSize || bytes.length < start + Math.max(rowsEnd, scalesEnd))
    throw new Error('The embedding model file is truncated.')
  // Copied, because a Float32Array needs 4-byte alignment.
  const scaleBuffer = new SharedArrayBuffer(4 * count)
  Buffer.from(scaleBuffer).set(bytes.subarray(start + scalesStart, start + scalesEnd))
  return {
    dims,
    rows: new Int8Array(file, start + rowsStart, count * dims),
    scales: new Float32Array(scaleBuffer),
  }
}
