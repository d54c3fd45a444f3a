/** The vector of word piece `id` is `scales[id]` times its row of `rows`. */
export interface Weights {
  readonly dims: number
  readonly rows: Int8Array
  readonly scales: Float32Array
}

interface Part {
  readonly shape: readonly number[]
  /** Of its bytes, from the end of the header. */
  readonly data_offsets: readonly [from: number, to: number]
}

/** Reads the format `safetensors`: the length of a header, the header as JSON, the data. */
export function parseWeights(file: Buffer): Weights {
  const start = 8 + Number(file.readBigUInt64LE(0))
  const { embeddings, scales }: Readonly<Record<'embeddings' | 'scales', Part>> = JSON.parse(
    file.toString('utf8', 8, start),
  )
  // A copy begins where a number of four bytes may.
  const bytesOf = ({ data_offsets: [from, to] }: Part) =>
    new Uint8Array(file.subarray(start + from, start + to)).buffer
  const [count = 0, dims = 0] = embeddings.shape
  const rows = new Int8Array(bytesOf(embeddings))
  const read = { dims, rows, scales: new Float32Array(bytesOf(scales)) }
  if (dims > 0 && rows.length === count * dims && read.scales.length === count) return read
  throw new Error('The file of the embedding model is not whole.')
}
