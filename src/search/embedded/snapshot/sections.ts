import { crc32 } from 'node:zlib'
import type { Numbers } from '../growable-array.ts'

/** The magic number at the end of the file; a new format needs a new number. */
const magic = 'REVERIE9'
const footerBytes = 8 + magic.length
/** Chunks are checksummed while they are in the processor cache. */
const readChunkBytes = 2 ** 18

export interface Section {
  readonly name: string
  /** Generated on demand. A chunk is valid until the next one, and small enough to yield between two. */
  readonly chunks: Iterable<Numbers>
}

export interface Sections {
  readonly list: Iterable<Section>
  /** Plain data, read after all chunks were generated. */
  readonly about: () => unknown
}

interface Entry {
  readonly name: string
  readonly bytes: number
  readonly crc: number
}

interface Header {
  readonly about: unknown
  readonly sections: readonly Entry[]
}

/** Writes the sections, then a header that lists them, then the length of the header. */
export async function writeSections(
  { list, about }: Sections,
  write: (bytes: Uint8Array) => Promise<unknown>,
): Promise<void> {
  const sections: Entry[] = []
  for (const { name, chunks } of list) {
    let [bytes, crc] = [0, 0]
    for (const chunk of chunks) {
      const bytesOfChunk = bytesOf(chunk)
      crc = crc32(bytesOfChunk, crc)
      bytes += bytesOfChunk.length
      await write(bytesOfChunk)
    }
    sections.push({ name, bytes, crc })
  }
  const header = Buffer.from(JSON.stringify({ about: about(), sections } satisfies Header))
  const footer = Buffer.alloc(footerBytes)
  footer.writeUInt32LE(header.length, 0)
  footer.writeUInt32LE(crc32(header), 4)
  footer.write(magic, 8, 'latin1')
  await write(Buffer.concat([header, footer]))
}

export interface SectionFile {
  readonly size: number
  /** Reads bytes from an offset of the file. */
  read(at: number, into: Uint8Array): void
}

export interface SectionReader {
  readonly about: unknown
  /** @throws {CorruptSnapshot} */
  fill(name: string, parts: readonly Uint8Array[]): void
  readNumbers<Values extends Numbers>(name: string, kind: KindOf<Values>): Values
}

interface KindOf<Values extends Numbers> {
  new (length: number): Values
  readonly BYTES_PER_ELEMENT: number
}

/** A section or its checksum differs from the header. */
export class CorruptSnapshot extends Error {
  override readonly name = 'NotWhole'
}

/** Returns undefined for another file format. */
export function openSections(file: SectionFile): SectionReader | undefined {
  const header = readHeader(file)
  if (!header) return undefined
  const entries = new Map<string, Entry & { readonly at: number }>()
  let end = 0
  for (const entry of header.sections) {
    entries.set(entry.name, { ...entry, at: end })
    end += entry.bytes
  }
  const entryOf = (name: string) => {
    const entry = entries.get(name)
    if (!entry) throw new CorruptSnapshot(`Section ${name} is missing.`)
    return entry
  }
  const fill = (name: string, parts: readonly Uint8Array[]) => {
    const { at, bytes, crc } = entryOf(name)
    const read = readParts(file, at, parts)
    if (read.bytes !== bytes || read.crc !== crc)
      throw new CorruptSnapshot(`Section ${name} is corrupt.`)
  }
  return {
    about: header.about,
    fill,
    readNumbers: (name, kind) => {
      const values = new kind(entryOf(name).bytes / kind.BYTES_PER_ELEMENT)
      fill(name, [bytesOf(values)])
      return values
    },
  }
}

function readHeader({ size, read }: SectionFile): Header | undefined {
  const footer = Buffer.alloc(footerBytes)
  if (size < footerBytes) return undefined
  read(size - footerBytes, footer)
  const length = footer.readUInt32LE(0)
  const at = size - footerBytes - length
  if (footer.toString('latin1', 8) !== magic || at < 0) return undefined
  const text = Buffer.alloc(length)
  read(at, text)
  if (crc32(text) !== footer.readUInt32LE(4)) return undefined
  const header = JSON.parse(text.toString('utf8')) as Header
  const bytes = header.sections.reduce((sum, section) => sum + section.bytes, 0)
  return bytes === at ? header : undefined
}

function readParts({ size, read }: SectionFile, from: number, parts: readonly Uint8Array[]) {
  let [at, crc] = [from, 0]
  for (const part of parts)
    for (let done = 0; done < part.length && at < size; done += readChunkBytes) {
      const chunk = part.subarray(done, done + readChunkBytes)
      read(at, chunk)
      crc = crc32(chunk, crc)
      at += chunk.length
    }
  return { bytes: at - from, crc }
}

function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
