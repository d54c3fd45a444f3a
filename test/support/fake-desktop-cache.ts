import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

interface StoredReply {
  /** The URL of the reply; the cache puts the keys of its partition before it. */
  readonly url: string
  readonly body: unknown
  readonly encoding?: 'gzip' | 'br'
  readonly status?: number
}

const partition = '1/0/_dk_https://discord.com https://discord.com '

/** The key, the headers and the compressed body, as Chromium stores them. */
function toStored({ url, body, encoding, status = 200 }: StoredReply) {
  const json = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const lines = [`HTTP/1.1 ${status} OK`, 'content-type: application/json']
  if (encoding) lines.push(`content-encoding: ${encoding}`)
  return {
    key: Buffer.from(partition + url),
    headers: Buffer.from(`\x01\x02\x03\x04${lines.join('\0')}\0\0`, 'latin1'),
    data: encoding === 'gzip' ? gzipSync(json) : encoding ? brotliCompressSync(json) : json,
  }
}

/** A file of a simple cache. */
export function toSimpleFile(reply: StoredReply): Buffer {
  const { key, headers, data } = toStored(reply)
  const header = Buffer.alloc(24)
  header.writeBigUInt64LE(0xfcfb6d1ba7725c30n, 0)
  header.writeUInt32LE(5, 8)
  header.writeUInt32LE(key.length, 12)
  const keyHash = Buffer.alloc(32, 7)
  return Buffer.concat([header, key, data, toEnd(1, 0), headers, keyHash, toEnd(3, headers.length)])
}

function toEnd(flags: number, size: number): Buffer {
  const end = Buffer.alloc(24)
  end.writeBigUInt64LE(0xf4fa6f45970d41d8n, 0)
  end.writeUInt32LE(flags, 8)
  end.writeUInt32LE(size, 16)
  return end
}

/** The data folder of a desktop app with a simple cache. Returns how to write an entry. */
export async function createSimpleCache(root: string) {
  const folder = join(root, 'Cache', 'Cache_Data')
  await mkdir(folder, { recursive: true })
  const pathOf = (number: number) => join(folder, `${number.toString(16).padStart(16, '0')}_0`)
  return {
    folder,
    pathOf,
    put: (number: number, reply: StoredReply) => writeFile(pathOf(number), toSimpleFile(reply)),
  }
}

const blockHeaderBytes = 8_192

/** The data folder of a desktop app with a block-file cache of these replies, in one chain. */
export async function createBlockCache(root: string, replies: readonly StoredReply[]) {
  const folder = join(root, 'Cache', 'Cache_Data')
  await mkdir(folder, { recursive: true })
  const entries = Buffer.alloc(blockHeaderBytes + 256 * 4 * replies.length)
  const small = Buffer.alloc(blockHeaderBytes + 1_024 * replies.length)
  for (const [at, reply] of replies.entries()) {
    const { key, headers, data } = toStored(reply)
    const entry = entries.subarray(blockHeaderBytes + 1_024 * at)
    entry.writeUInt32LE(at + 1 < replies.length ? entryAddress(at + 1) : 0, 4)
    entry.writeInt32LE(key.length, 32)
    entry.writeInt32LE(headers.length, 40)
    entry.writeInt32LE(data.length, 44)
    entry.writeUInt32LE((0xb0020000 | at) >>> 0, 56)
    entry.writeUInt32LE((0x80000000 | (at + 1)) >>> 0, 60)
    key.copy(entry, 96)
    headers.copy(small, blockHeaderBytes + 1_024 * at)
    await writeFile(join(folder, `f_${(at + 1).toString(16).padStart(6, '0')}`), data)
  }
  const index = Buffer.alloc(368 + 4 * 16)
  index.writeUInt32LE(0xc103cac3, 0)
  index.writeUInt32LE(entryAddress(0), 368 + 4 * 5)
  await writeFile(join(folder, 'index'), index)
  await writeFile(join(folder, 'data_1'), entries)
  await writeFile(join(folder, 'data_2'), small)
  return { folder, entries, index }
}

/** Four blocks of 256 bytes in `data_1`. */
const entryAddress = (number: number) => (0xa3010000 | (number * 4)) >>> 0
