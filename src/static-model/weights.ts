/** The vector of word piece `id` is `scales[id]` times its row of `rows`; threads share them. */
export interface Weights {
  readonly dims: number
  readonly rows: Int8Array<SharedArrayBuffer>
  readonly scales: Float32Array<SharedArrayBuffer>
}

interface Part {
  readonly shape: readonly number[]
  /** Of its bytes, from the end of the header. */
  readonly data_offsets: readonly [from: number, to: number]
}

/** Reads the format `safetensors`: the length of a header, the header as JSON, the data. */
export function parseWeights(file: SharedArrayBuffer): Weights {
  const bytes = Buffer.from(file)
  const start = 8 + Number(bytes.readBigUInt64LE(0))
  const { embeddings, scales }: Readonly<Record<'embeddings' | 'scales', Part>> = JSON.parse(
    bytes.toString('utf8', 8, start),
  )
  const [count = 0, dims = 0] = embeddings.shape
  const [rowsAt, rowsEnd] = embeddings.data_offsets
  const [scalesAt, scalesEnd] = scales.data_offsets
  const isWhole = rowsEnd - rowsAt === count * dims && scalesEnd - scalesAt === 4 * count
  if (dims === 0 || !isWhole || bytes.length < start + Math.max(rowsEnd, scalesEnd))
    throw new Error('The file of the embedding model is not whole.')
  // A copy begins where a number of four bytes may.
  const copied = new SharedArrayBuffer(4 * count)
  Buffer.from(copied).set(bytes.subarray(start + scalesAt, start + scalesEnd))
  return {
    dims,
    rows: new Int8Array(file, start + rowsAt, count * dims),
    scales: new Float32Array(copied),
  }
}
