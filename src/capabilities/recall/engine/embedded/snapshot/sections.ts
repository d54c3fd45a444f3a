import { crc32 } from 'node:zlib'

/** The first bytes of the file; another format is another number. */
const magic = 'REVERIE2'
const alignment = 8
const prefixBytes = magic.length + 8

type Numbers = Float32Array | Float64Array | Int32Array | Uint32Array | Uint8Array | Int8Array

export interface Sections {
  /** Plain data. */
  readonly about: unknown
  readonly arrays: Readonly<Record<string, Numbers>>
}

interface Header {
  readonly about: unknown
  readonly arrays: readonly {
    readonly name: string
    readonly kind: keyof typeof kinds
    readonly bytes: number
    readonly crc: number
  }[]
}

const kinds = { Float32Array, Float64Array, Int32Array, Uint32Array, Uint8Array, Int8Array }

/** The file in pieces: a header that says what follows, then the arrays, each at a multiple of eight. */
export function toPieces({ about, arrays }: Sections): Uint8Array[] {
  const named = Object.entries(arrays).map(([name, array]) => ({
    name,
    array,
    bytes: bytesOf(array),
  }))
  const header: Header = {
    about,
    arrays: named.map(({ name, array, bytes }) => ({
      ...{ name, kind: array.constructor.name as keyof typeof kinds },
      ...{ bytes: bytes.length, crc: crc32(bytes) },
    })),
  }
  const text = Buffer.from(JSON.stringify(header))
  const prefix = Buffer.alloc(prefixBytes)
  prefix.write(magic, 'latin1')
  prefix.writeUInt32LE(text.length, magic.length)
  prefix.writeUInt32LE(crc32(text), magic.length + 4)
  return [prefix, ...padded(text), ...named.flatMap(({ bytes }) => padded(bytes))]
}

/** Gives bytes of a file in memory of their own; fewer where it ends. */
export type ReadAt = (at: number, length: number) => ArrayBuffer

/** Undefined for what is not whole, or not of this format. Each array is read by itself, and once. */
export function readSections(readAt: ReadAt): Sections | undefined {
  const prefix = Buffer.from(readAt(0, prefixBytes))
  if (prefix.length < prefixBytes || prefix.toString('latin1', 0, magic.length) !== magic)
    return undefined
  const length = prefix.readUInt32LE(magic.length)
  const text = readWhole(readAt, prefixBytes, {
    length,
    crc: prefix.readUInt32LE(magic.length + 4),
  })
  if (!text) return undefined
  const { about, arrays: kept } = JSON.parse(Buffer.from(text).toString('utf8')) as Header
  const arrays: Record<string, Numbers> = {}
  let at = prefixBytes + roundUp(length)
  for (const { name, kind, bytes, crc } of kept) {
    const part = readWhole(readAt, at, { length: bytes, crc })
    if (!part) return undefined
    arrays[name] = new kinds[kind](part)
    at += roundUp(bytes)
  }
  return { about, arrays }
}

function readWhole(
  readAt: ReadAt,
  at: number,
  { length, crc }: { readonly length: number; readonly crc: number },
): ArrayBuffer | undefined {
  const part = readAt(at, length)
  return part.byteLength === length && crc32(new Uint8Array(part)) === crc ? part : undefined
}

/** Gives the memory of the arrays back at once, and not when it is next collected. */
export function release({ arrays }: Sections): void {
  for (const { buffer } of Object.values(arrays))
    if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

function padded(bytes: Uint8Array): Uint8Array[] {
  return [bytes, new Uint8Array(roundUp(bytes.length) - bytes.length)]
}

function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function roundUp(length: number): number {
  return Math.ceil(length / alignment) * alignment
}
