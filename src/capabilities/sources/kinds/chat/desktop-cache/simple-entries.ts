import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CacheEntry,
  maxBodyBytes,
  maxEntries,
  maxHeaderBytes,
  maxKeyBytes,
  readBytes,
  type StoredReply,
  UnreadableEntry,
  withFile,
} from './cache-entry.ts'

/** Source: `net/disk_cache/simple/simple_entry_format.h` of Chromium. */
const firstMagic = 0xfcfb6d1ba7725c30n
const lastMagic = 0xf4fa6f45970d41d8n
const headerBytes = 24
const endBytes = 24
const keyHashBytes = 32
const hasKeyHash = 2
const fileName = /^[0-9a-f]{16}_0$/

/**
 * Entries of a simple cache, one in each file: header, key, body, end record, headers of the reply,
 * perhaps a hash of the key, end record. Other files are skipped.
 */
export async function* listSimpleEntries(folder: string): AsyncGenerator<CacheEntry> {
  let count = 0
  for await (const { name } of await opendir(folder)) {
    if (!fileName.test(name)) continue
    count += 1
    if (count > maxEntries) return
    const path = join(folder, name)
    const found = await readKey(path)
    if (found) yield { name, ...found, read: () => readEntry(path) }
  }
}

async function readKey(path: string) {
  return withFile(path, async (file, { changedMs }) => {
    const start = Buffer.alloc(headerBytes + maxKeyBytes)
    const { bytesRead } = await file.read(start, 0, start.length, 0)
    const length = readKeyLength(start.subarray(0, bytesRead))
    if (length === undefined || bytesRead < headerBytes + length) return undefined
    return { key: start.toString('utf8', headerBytes, headerBytes + length), changedMs }
  })
}

function readKeyLength(start: Buffer): number | undefined {
  if (start.length < headerBytes || start.readBigUInt64LE(0) !== firstMagic) return undefined
  const length = start.readUInt32LE(12)
  return length <= maxKeyBytes ? length : undefined
}

async function readEntry(path: string): Promise<StoredReply> {
  const reply = await withFile(path, async (file, { size }) => {
    const read = (position: number, length: number) => readBytes(file, { position, length })
    const keyLength = readKeyLength(await read(0, headerBytes))
    if (keyLength === undefined || size < headerBytes + keyLength + 2 * endBytes) throw truncated()
    const end = await read(size - endBytes, endBytes)
    const { flags, streamSize } = readEnd(end)
    if (streamSize > maxHeaderBytes) throw new UnreadableEntry('The headers exceed 256 KiB.')
    const headersAt = size - endBytes - ((flags & hasKeyHash) === 0 ? 0 : keyHashBytes) - streamSize
    const bodyAt = headerBytes + keyLength
    const length = headersAt - endBytes - bodyAt
    if (length < 0) throw truncated()
    if (length > maxBodyBytes) throw new UnreadableEntry('The reply is larger than 4 MiB.')
    readEnd(await read(headersAt - endBytes, endBytes))
    return { headers: await read(headersAt, streamSize), body: await read(bodyAt, length) }
  })
  if (!reply) throw new UnreadableEntry('The entry was removed from the cache.')
  return reply
}

function readEnd(end: Buffer): { readonly flags: number; readonly streamSize: number } {
  if (end.readBigUInt64LE(0) !== lastMagic) throw truncated()
  return { flags: end.readUInt32LE(8), streamSize: end.readUInt32LE(16) }
}

const truncated = () => new UnreadableEntry('The entry is truncated.')
