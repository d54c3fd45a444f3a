import { crc32 } from 'node:zlib'
import type { Numbers } from '../growable-array.ts'

/** The last bytes of the file; another format is another number. */
const magic = 'REVERIE8'
const footerBytes = 8 + magic.length
/** What is read is examined while the processor still has it at hand. */
const readChunkBytes = 2 ** 18

export interface Section {
  readonly name: string
  /** Made as they are asked for; each holds until the next, and is so small that others have their turn in between. */
  readonly chunks: Iterable<Numbers>
}

export interface Sections {
  readonly list: Iterable<Section>
  /** Plain data; asked for once all pieces are made. */
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

/** One section behind the other, then a header that says what they are, then where that begins. */
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
  /** Fills the bytes with those of the file from there on. */
  read(at: number, into: Uint8Array): void
}

export interface SectionReader {
  readonly about: unknown
  /** @throws {CorruptSnapshot} as the others do */
  fill(name: string, parts: readonly Uint8Array[]): void
  readNumbers<Values extends Numbers>(name: string, kind: KindOf<Values>): Values
}

interface KindOf<Values extends Numbers> {
  new (length: number): Values
  readonly BYTES_PER_ELEMENT: number
}

/** What the file says of itself is not what it holds. */
export class CorruptSnapshot extends Error {
  override readonly name = 'NotWhole'
}

/** Undefined for what does not end as a file of this format does, or begins otherwise. */
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
    if (!entry) throw new CorruptSnapshot(`There is no section ${name}.`)
    return entry
  }
  const fill = (name: string, parts: readonly Uint8Array[]) => {
    const { at, bytes, crc } = entryOf(name)
    const read = readParts(file, at, parts)
    if (read.bytes !== bytes || read.crc !== crc) throw new CorruptSnapshot(`${name} is not whole.`)
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
