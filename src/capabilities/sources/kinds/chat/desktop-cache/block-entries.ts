import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CacheEntry,
  maxBodyBytes,
  maxEntries,
  maxHeaderBytes,
  maxKeyBytes,
  openRegular,
  readBytes,
  type StoredReply,
  UnreadableEntry,
} from './cache-entry.ts'

/** Source: `net/disk_cache/blockfile/disk_format.h` and `addr.h` of Chromium. */
const indexMagic = 0xc103cac3
const indexHeaderBytes = 368
const maxIndexBytes = 4 * 1024 * 1024
const blockHeaderBytes = 8_192
/** By the type of an address. */
const blockBytes = [0, 36, 256, 1_024, 4_096] as const
const entryBytes = 256
const keyAt = 96

interface Cache {
  readonly folder: string
  /** Block files by number, opened once. */
  readonly files: Map<number, FileHandle | undefined>
}

/** Entries of a block-file cache: a hash table of chains, whose data is in blocks or own files. */
export async function* listBlockEntries(folder: string): AsyncGenerator<CacheEntry> {
  const table = await readTable(folder)
  const cache = openCache(folder)
  const seen = new Set<number>()
  try {
    for (let at = 0; at + 4 <= table.length; at += 4) {
      // A damaged chain may contain itself.
      for (let address = table.readUInt32LE(at); isFresh(address, seen); ) {
        seen.add(address)
        const found = await readEntry(cache, address)
        if (!found) break
        if (found.entry) yield found.entry
        address = found.next
      }
    }
  } finally {
    await closeCache(cache)
  }
}

const openCache = (folder: string): Cache => ({ folder, files: new Map() })

async function closeCache({ files }: Cache): Promise<void> {
  for (const file of files.values()) await file?.close()
}

const isFresh = (address: number, seen: ReadonlySet<number>) =>
  address >= 0x80000000 && seen.size < maxEntries && !seen.has(address)

export async function isBlockCache(folder: string): Promise<boolean> {
  const file = await openRegular(join(folder, 'index'))
  try {
    const start = await file?.read(Buffer.alloc(4), 0, 4, 0)
    return start?.buffer.readUInt32LE(0) === indexMagic
  } finally {
    await file?.close()
  }
}

async function readTable(folder: string): Promise<Buffer> {
  const file = await openRegular(join(folder, 'index'))
  if (!file) return Buffer.alloc(0)
  try {
    const { size } = await file.stat()
    const length = Math.max(0, Math.min(size, maxIndexBytes) - indexHeaderBytes)
    return await readBytes(file, { position: indexHeaderBytes, length })
  } finally {
    await file.close()
  }
}

/** Returns undefined for an address that leads to no entry. */
async function readEntry(
  cache: Cache,
  address: number,
): Promise<{ readonly entry?: CacheEntry; readonly next: number } | undefined> {
  try {
    const bytes = await readData(cache, { address, size: undefined })
    if (bytes.length < entryBytes) return undefined
    const next = bytes.readUInt32LE(4)
    const isNormal = bytes.readInt32LE(20) === 0
    const key = isNormal ? await readKey(cache, bytes) : undefined
    if (key === undefined) return { next }
    const changedMs = await readChangedMs(cache, address)
    const read = () => readReply(cache.folder, bytes)
    return { next, entry: { name: address.toString(16), key, changedMs, read } }
  } catch (error) {
    if (error instanceof UnreadableEntry) return undefined
    throw error
  }
}

/** Opens the files again, because the listing has closed them. */
async function readReply(folder: string, entry: Buffer): Promise<StoredReply> {
  const cache = openCache(folder)
  try {
    return {
      headers: await readStream(cache, entry, { stream: 0, maxBytes: maxHeaderBytes }),
      body: await readStream(cache, entry, { stream: 1, maxBytes: maxBodyBytes }),
    }
  } finally {
    await closeCache(cache)
  }
}

async function readKey(cache: Cache, bytes: Buffer): Promise<string | undefined> {
  const length = bytes.readInt32LE(32)
  if (length <= 0 || length > maxKeyBytes) return undefined
  const address = bytes.readUInt32LE(36)
  const key =
    address === 0
      ? bytes.subarray(keyAt, keyAt + length)
      : await readData(cache, { address, size: length })
  return key.length === length ? key.toString('utf8') : undefined
}

interface Stream {
  readonly stream: 0 | 1
  readonly maxBytes: number
}

async function readStream(
  cache: Cache,
  entry: Buffer,
  { stream, maxBytes }: Stream,
): Promise<Buffer> {
  const size = entry.readInt32LE(40 + 4 * stream)
  if (size < 0 || size > maxBytes)
    throw new UnreadableEntry('The reply is larger than 4 MiB, or its headers exceed 256 KiB.')
  return readData(cache, { address: entry.readUInt32LE(56 + 4 * stream), size })
}

interface Data {
  readonly address: number
  /** All blocks of the address without a size. */
  readonly size: number | undefined
}

async function readData(cache: Cache, { address, size }: Data): Promise<Buffer> {
  const type = (address >>> 28) & 7
  if (type === 0) return readOwnFile(cache, { address, size })
  const unit = blockBytes[type]
  if (unit === undefined) throw new UnreadableEntry('The address of the data is invalid.')
  const capacity = unit * (((address >>> 24) & 3) + 1)
  if (size !== undefined && size > capacity) throw new UnreadableEntry('The entry is truncated.')
  const position = blockHeaderBytes + (address & 0xffff) * unit
  const file = await openBlocks(cache, (address >>> 16) & 0xff)
  return readBytes(file, { position, length: size ?? capacity })
}

/** Data of more than 16 KiB is in a file of its own. */
async function readOwnFile({ folder }: Cache, { address, size = 0 }: Data): Promise<Buffer> {
  const name = `f_${(address & 0x0fffffff).toString(16).padStart(6, '0')}`
  const file = await openRegular(join(folder, name))
  if (!file) throw new UnreadableEntry('The entry was removed from the cache.')
  try {
    return await readBytes(file, { position: 0, length: size })
  } finally {
    await file.close()
  }
}

async function openBlocks({ folder, files }: Cache, number: number): Promise<FileHandle> {
  if (!files.has(number)) files.set(number, await openRegular(join(folder, `data_${number}`)))
  const file = files.get(number)
  if (!file) throw new UnreadableEntry('A block file is missing.')
  return file
}

/** The time of the block file, because an entry has none that follows its changes. */
async function readChangedMs(cache: Cache, address: number): Promise<number> {
  const { mtimeMs, ctimeMs } = await (await openBlocks(cache, (address >>> 16) & 0xff)).stat()
  return Math.max(mtimeMs, ctimeMs)
}
