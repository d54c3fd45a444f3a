import { Inflate, unzipSync } from 'fflate'
import { Unreadable } from './result.ts'

const maxEntries = 5_000
const maxUnpackedBytes = 268_435_456
const maxEntryBytes = 67_108_864
const maxRatio = 200
/** Small entries may repeat themselves. */
const minRatioBytes = 1_048_576
const encryptedFlag = 1
/** A definition stands before the first element. */
const maxHeadBytes = 1_048_576

/** An entry of the central directory. */
interface Entry {
  readonly name: string
  readonly flags: number
  readonly method: number
  readonly packed: number
  readonly unpacked: number
  /** Of the local header. */
  readonly offset: number
}

/**
 * Refuses an archive that no author writes, before a parser reads it. The declared sizes are
 * checked first, then the real ones: unpacking stops at the first byte beyond.
 */
export function checkArchive(bytes: Uint8Array): readonly string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries = listEntries(view, bytes)
  const names = entries.map(({ name }) => name)
  if (new Set(names).size < names.length)
    throw new Unreadable('corrupt', 'The archive contains a name twice.')
  for (const entry of entries) assertEntry(entry)
  const total = entries.reduce((sum, { unpacked }) => sum + unpacked, 0)
  if (total > maxUnpackedBytes) throw tooLarge()
  for (const entry of entries) assertContent(view, bytes, entry)
  return names
}

/** The text of one small entry, if it exists. */
export function readEntry(bytes: Uint8Array, wanted: string): string | undefined {
  const found = unzipSync(bytes, {
    filter: ({ name, originalSize }) => name === wanted && originalSize < minRatioBytes,
  })[wanted]
  return found && new TextDecoder().decode(found)
}

function assertEntry({ name, flags, packed, unpacked }: Entry): void {
  if ((flags & encryptedFlag) !== 0)
    throw new Unreadable('encrypted', 'The file is encrypted. Save it without a password.')
  if (/(^|[\\/])\.\.([\\/]|$)|^[\\/]|^[a-zA-Z]:|\0/.test(name))
    throw new Unreadable('corrupt', 'The archive contains a path outside itself.')
  if (unpacked > maxEntryBytes) throw tooLarge()
  if (unpacked > minRatioBytes && unpacked > packed * maxRatio) throw tooLarge()
}

function tooLarge(): Unreadable {
  return new Unreadable(
    'too_large',
    'The archive unpacks to more than 256 MiB, or 64 MiB in one entry, or 200 times its size.',
  )
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const endLength = 22
const entryLength = 46
const maxCommentLength = 65_535

function listEntries(view: DataView, bytes: Uint8Array): Entry[] {
  const end = findEnd(view)
  const count = view.getUint16(end + 10, true)
  if (count > maxEntries)
    throw new Unreadable('too_large', `An archive may have ${maxEntries} entries at most.`)
  const entries: Entry[] = []
  let at = view.getUint32(end + 16, true)
  for (let number = 0; number < count; number++) {
    if (at + entryLength > end || view.getUint32(at, true) !== entrySignature) throw damaged()
    const nameLength = view.getUint16(at + 28, true)
    entries.push({
      name: new TextDecoder().decode(
        bytes.subarray(at + entryLength, at + entryLength + nameLength),
      ),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      unpacked: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    })
    at += entryLength + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

function findEnd(view: DataView): number {
  const last = view.byteLength - endLength
  for (let at = last; at >= Math.max(0, last - maxCommentLength); at--)
    if (view.getUint32(at, true) === endSignature) return at
  throw damaged()
}

function damaged(): Unreadable {
  return new Unreadable('corrupt', 'The archive is damaged or cut off.')
}

/** The real size must not exceed the declared one, and no XML may define entities. */
function assertContent(view: DataView, bytes: Uint8Array, entry: Entry): void {
  const { offset, packed, unpacked, method, name } = entry
  if (offset + 30 > view.byteLength || view.getUint32(offset, true) !== localSignature)
    throw damaged()
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  const content = bytes.subarray(start, start + packed)
  if (content.length < packed) throw damaged()
  const isXml = /\.(xml|rels|xhtml|html|opf|ncx)$/i.test(name)
  const head = method === 0 ? content : inflate(content, unpacked)
  if (isXml) assertNoEntities(new TextDecoder('latin1').decode(head.subarray(0, maxHeadBytes)))
}

/** Returns the first part. Stops when the content exceeds its declared size. */
function inflate(packed: Uint8Array, declared: number): Uint8Array {
  let head: Uint8Array | undefined
  let length = 0
  const inflater = new Inflate((part) => {
    head ??= part
    length += part.length
    if (length > declared) throw tooLarge()
  })
  const step = 65_536
  for (let at = 0; at < packed.length; at += step)
    inflater.push(packed.subarray(at, at + step), at + step >= packed.length)
  return head ?? new Uint8Array()
}

/** A page of an e-book may name its type; only definitions are dangerous. */
function assertNoEntities(head: string): void {
  if (/<!ENTITY|<!DOCTYPE[^>]*\[/i.test(head))
    throw new Unreadable('corrupt', 'The XML of the file defines entities, which is not allowed.')
}
