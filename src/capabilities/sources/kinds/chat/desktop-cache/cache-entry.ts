import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'

/** A stored reply of a Chromium cache. */
export interface CacheEntry {
  /** Identifies the entry within the cache. */
  readonly name: string
  /** The URL of the reply, after the keys of its partition. */
  readonly key: string
  /** The latest change of its file. */
  readonly changedMs: number
  read(): Promise<StoredReply>
}

export interface StoredReply {
  /** The status line and the headers, separated by NUL, in the bytes of a pickle. */
  readonly headers: Buffer
  readonly body: Buffer
}

/** An entry of a cache that cannot be read. */
export class UnreadableEntry extends Error {
  override readonly name = 'UnreadableEntry'
}

export const maxKeyBytes = 4_096
export const maxBodyBytes = 4 * 1024 * 1024
export const maxHeaderBytes = 256 * 1024
/** Entries of a cache beyond this number are not read. */
export const maxEntries = 100_000

/** Links and pipes are not opened. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Calls `use` with a regular file. Returns undefined for any other, and for one that is gone. */
export async function withFile<Result>(
  path: string,
  use: (file: FileHandle, state: { readonly size: number; readonly changedMs: number }) => Result,
): Promise<Awaited<Result> | undefined> {
  const file = await openRegular(path)
  if (!file) return undefined
  try {
    const { size, mtimeMs, ctimeMs } = await file.stat()
    return await use(file, { size, changedMs: Math.max(mtimeMs, ctimeMs) })
  } finally {
    await file.close()
  }
}

/** The caller closes the file. Returns undefined for one that cannot be opened or is not regular. */
export async function openRegular(path: string): Promise<FileHandle | undefined> {
  try {
    const file = await open(path, openFlags)
    if ((await file.stat()).isFile()) return file
    await file.close()
  } catch (error) {
    // The program that owns the cache removes and locks its files at any time.
    if (Object(error).code === undefined) throw error
  }
  return undefined
}

/** Bytes of a file. @throws {UnreadableEntry} for a file that is shorter */
export async function readBytes(
  file: FileHandle,
  { position, length }: { readonly position: number; readonly length: number },
): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  if (bytesRead < length) throw new UnreadableEntry('The entry is truncated.')
  return buffer
}

const decoders = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
} as const

/** The JSON of a successful reply; undefined for another status. @throws {UnreadableEntry} */
export async function readJson({ headers, body }: StoredReply): Promise<unknown> {
  const text = headers.toString('latin1')
  if (!/HTTP\/\d(?:\.\d)? 200\b/.test(text)) return undefined
  const encoding = /\0content-encoding:\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'identity'
  const plain = await decode(body, encoding)
  try {
    return JSON.parse(plain.toString('utf8'))
  } catch {
    throw new UnreadableEntry('The reply is not JSON.')
  }
}

async function decode(body: Buffer, encoding: string): Promise<Buffer> {
  if (encoding === 'identity') return body
  const decoder = Object.hasOwn(decoders, encoding) && decoders[encoding as keyof typeof decoders]
  if (!decoder) throw new UnreadableEntry(`The encoding ${encoding} is unknown.`)
  try {
    return await decoder(body, { maxOutputLength: maxBodyBytes })
  } catch {
    throw new UnreadableEntry('The reply cannot be decompressed, or is larger than 4 MiB.')
  }
}
