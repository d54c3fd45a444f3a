import { importRefusal, invalidChunk, tooLarge } from '../refusals.ts'

export const chunkBytes = 65_536
export const maxAppendBytes = 1_048_576
const maxFileBytes = 68_719_476_736

type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface AppendHeaders {
  /** The size of the whole file. */
  readonly length: number
  readonly offset: number
  readonly generation: number
  /** SHA-256 of the body in hex. */
  readonly checksum: string
}

export function readAppendHeaders(headers: Headers): AppendHeaders {
  const length = readCount(headers, 'upload-length')
  const offset = readCount(headers, 'upload-offset')
  const { 'upload-checksum': checksum } = headers
  if (length === undefined) throw invalidChunk('Upload-Length is required.')
  if (offset === undefined) throw invalidChunk('Upload-Offset is required.')
  if (offset % chunkBytes !== 0)
    throw invalidChunk(`Upload-Offset ${offset} is no multiple of ${chunkBytes}.`)
  if (typeof checksum !== 'string' || !/^[\da-f]{64}$/i.test(checksum))
    throw invalidChunk('Upload-Checksum must be the SHA-256 of the body in 64 hex digits.')
  const generation = readCount(headers, 'upload-generation') ?? 0
  return { length: assertSize(length), offset, generation, checksum: checksum.toLowerCase() }
}

/** The size of a whole file in one request. */
export function readPutLength(headers: Headers, bodyLength: number | undefined): number {
  const length = readCount(headers, 'upload-length') ?? bodyLength
  if (length === undefined) throw importRefusal('transcript_import_length_required')
  return assertSize(length)
}

function assertSize(size: number): number {
  if (size > maxFileBytes) throw tooLarge(`A file has at most ${maxFileBytes} bytes.`)
  return size
}

function readCount(headers: Headers, name: string): number | undefined {
  const { [name]: text } = headers
  if (text === undefined) return undefined
  const count = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(count)) throw invalidChunk(`${name} must be a whole number, not '${text}'.`)
  return count
}
