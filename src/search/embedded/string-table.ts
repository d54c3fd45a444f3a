import { randomInt } from 'node:crypto'
import {
  adopt,
  createGrowableArray,
  extend,
  type GrowableArray,
  gather,
  push,
  reserve,
} from './growable-array.ts'

export const notFound = -1

/** Strings packed into typed arrays, numbered from 0. A string is decoded on access. */
export interface StringTable {
  count(): number
  /** Returns the last number of equal strings, or `notFound`. */
  find(text: string): number
  /** Returns the number of the string. */
  add(text: string): number
  at(number: number): string
  /** Copies the strings with these numbers, in this order. */
  dump(numbers: Int32Array): StringsDump
}

/** Parts are generated on demand. */
export interface StringsDump {
  readonly ends: Uint32Array
  readonly bytes: Iterable<Uint8Array>
}

/** UTF-8 bytes of all strings, and the end offset of each. */
export interface SerializedStrings {
  readonly ends: Uint32Array
  readonly bytes: Uint8Array
}

interface TableState {
  readonly ends: GrowableArray<Uint32Array>
  readonly bytes: GrowableArray<Uint8Array>
  /** An open-addressing hash table of string numbers. */
  buckets: Int32Array
  /** The number of used buckets. */
  used: number
  /** The encoded string of the current lookup. */
  readonly needle: GrowableArray<Uint8Array>
}

/** A random seed prevents chosen collisions. */
const seed = randomInt(2 ** 32)
const minBuckets = 256

export function createStringTable(serialized?: SerializedStrings): StringTable {
  const bytes = () => createGrowableArray((length) => new Uint8Array(length))
  const table: TableState = {
    ends: createGrowableArray((length) => new Uint32Array(length)),
    bytes: bytes(),
    needle: bytes(),
    buckets: createBuckets(0),
    used: 0,
  }
  if (serialized) restore(table, serialized)
  return {
    count: () => table.ends.length,
    find: (text) => table.buckets[findBucket(table, text)] as number,
    add: (text) => add(table, text),
    at: (number) => {
      const [from, to] = [startOf(table, number), table.ends.values[number] as number]
      return Buffer.from(table.bytes.values.buffer, from, to - from).toString('utf8')
    },
    dump: (numbers) => dump(table, numbers),
  }
}

function add(table: TableState, text: string): number {
  const bucket = findBucket(table, text)
  const { ends, bytes, needle } = table
  const number = ends.length
  const from = bytes.length
  extend(bytes, from + needle.length)
  bytes.values.set(needle.values.subarray(0, needle.length), from)
  push(ends, bytes.length)
  if (table.buckets[bucket] === notFound) table.used += 1
  table.buckets[bucket] = number
  if (2 * table.used > table.buckets.length) rehash(table)
  return number
}

/** The bucket of the needle, or the free one for it. */
function findBucket(table: TableState, text: string): number {
  const { buckets, needle } = table
  write(text, needle)
  let bucket = hashOf(needle.values, 0, needle.length) & (buckets.length - 1)
  while (buckets[bucket] !== notFound && !equalsNeedle(table, buckets[bucket] as number))
    bucket = (bucket + 1) & (buckets.length - 1)
  return bucket
}

function equalsNeedle(table: TableState, number: number): boolean {
  const { bytes, ends, needle } = table
  const from = startOf(table, number)
  if ((ends.values[number] as number) - from !== needle.length) return false
  for (let at = 0; at < needle.length; at++)
    if (bytes.values[from + at] !== needle.values[at]) return false
  return true
}

function startOf({ ends }: TableState, number: number): number {
  return number === 0 ? 0 : (ends.values[number - 1] as number)
}

const encoder = new TextEncoder()

/** Most strings are ASCII and need no call into the encoder. */
function write(text: string, into: GrowableArray<Uint8Array>): void {
  into.length = 0
  reserve(into, 3 * text.length)
  const { values } = into
  into.length = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    values[at] = unit
    if (unit < 0x80) continue
    into.length = encoder.encodeInto(text, values).written
    return
  }
}

function restore(table: TableState, { ends, bytes }: SerializedStrings): void {
  adopt(table.ends, ends)
  adopt(table.bytes, bytes)
  table.used = ends.length
  table.buckets = createBuckets(ends.length)
  for (let number = 0; number < ends.length; number++) insert(table, number)
}

/** Doubles the number of buckets. */
function rehash(table: TableState): void {
  const { buckets } = table
  table.buckets = createBuckets(buckets.length)
  for (const number of buckets) if (number !== notFound) insert(table, number)
}

/** All strings must be distinct. */
function insert(table: TableState, number: number): void {
  const { buckets, bytes, ends } = table
  const hash = hashOf(bytes.values, startOf(table, number), ends.values[number] as number)
  let bucket = hash & (buckets.length - 1)
  while (buckets[bucket] !== notFound) bucket = (bucket + 1) & (buckets.length - 1)
  buckets[bucket] = number
}

/** The load factor is at most 0.5. */
function createBuckets(count: number): Int32Array {
  const doublings = Math.ceil(Math.log2(Math.max(minBuckets, 2 * count + 2)))
  return new Int32Array(2 ** doublings).fill(notFound)
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = seed
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  // Mixes the high bits into the low ones.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}

/** Strings are append-only, so that they can be read later. */
function dump(table: TableState, numbers: Int32Array): StringsDump {
  const starts = new Uint32Array(numbers.length)
  const lengths = new Uint32Array(numbers.length)
  const ends = new Uint32Array(numbers.length)
  let end = 0
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number
    const start = startOf(table, number)
    const length = (table.ends.values[number] as number) - start
    starts[at] = start
    lengths[at] = length
    end += length
    ends[at] = end
  }
  return {
    ends,
    bytes: gather({
      starts,
      lengths,
      make: (length) => new Uint8Array(length),
      valueAt: (bucket) => table.bytes.values[bucket] as number,
    }),
  }
}
