import { randomInt } from 'node:crypto'
import {
  createGrowing,
  extend,
  type Growing,
  gather,
  push,
  reserve,
  take,
} from './growable-array.ts'

export const nowhere = -1

/** Strings in arrays of numbers, counted from 0 as they come: each is a string only once it is asked for. */
export interface Strings {
  count(): number
  /** What was added last of those that are equal; `nowhere` for one that was never added. */
  find(text: string): number
  /** Gives its number. */
  add(text: string): number
  at(number: number): string
  /** Those with these numbers, in their order. */
  dump(numbers: Int32Array): DumpedStrings
}

/** Made as it is asked for. */
export interface DumpedStrings {
  readonly ends: Uint32Array
  readonly bytes: Iterable<Uint8Array>
}

/** One behind the other, as UTF-8: where each ends, and what it is. */
export interface KeptStrings {
  readonly ends: Uint32Array
  readonly bytes: Uint8Array
}

interface Held {
  readonly ends: Growing<Uint32Array>
  readonly bytes: Growing<Uint8Array>
  /** A hash table: the number of a string, at the place of its hash or the next that is free. */
  places: Int32Array
  /** How many of them are not free. */
  taken: number
  /** What is looked for. */
  readonly sought: Growing<Uint8Array>
}

/** Nobody can choose texts that all have the same place. */
const seed = randomInt(2 ** 32)
const leastPlaces = 256

export function createStrings(kept?: KeptStrings): Strings {
  const bytes = () => createGrowing((length) => new Uint8Array(length))
  const held: Held = {
    ends: createGrowing((length) => new Uint32Array(length)),
    ...{ bytes: bytes(), sought: bytes() },
    ...{ places: createPlaces(0), taken: 0 },
  }
  if (kept) restore(held, kept)
  return {
    count: () => held.ends.length,
    find: (text) => held.places[placeOf(held, text)] as number,
    add: (text) => add(held, text),
    at: (number) => {
      const [from, to] = [startOf(held, number), held.ends.values[number] as number]
      return Buffer.from(held.bytes.values.buffer, from, to - from).toString('utf8')
    },
    dump: (numbers) => dump(held, numbers),
  }
}

function add(held: Held, text: string): number {
  const place = placeOf(held, text)
  const { ends, bytes, sought } = held
  const number = ends.length
  const from = bytes.length
  extend(bytes, from + sought.length)
  bytes.values.set(sought.values.subarray(0, sought.length), from)
  push(ends, bytes.length)
  if (held.places[place] === nowhere) held.taken += 1
  held.places[place] = number
  if (2 * held.taken > held.places.length) spread(held)
  return number
}

/** Where it stands, or would stand. */
function placeOf(held: Held, text: string): number {
  const { places, sought } = held
  write(text, sought)
  let place = hashOf(sought.values, 0, sought.length) & (places.length - 1)
  while (places[place] !== nowhere && !isSought(held, places[place] as number))
    place = (place + 1) & (places.length - 1)
  return place
}

function isSought(held: Held, number: number): boolean {
  const { bytes, ends, sought } = held
  const from = startOf(held, number)
  if ((ends.values[number] as number) - from !== sought.length) return false
  for (let at = 0; at < sought.length; at++)
    if (bytes.values[from + at] !== sought.values[at]) return false
  return true
}

function startOf({ ends }: Held, number: number): number {
  return number === 0 ? 0 : (ends.values[number - 1] as number)
}

const encoder = new TextEncoder()

/** Most strings are ASCII: these need not leave the machine code of JavaScript. */
function write(text: string, into: Growing<Uint8Array>): void {
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

function restore(held: Held, { ends, bytes }: KeptStrings): void {
  take(held.ends, ends)
  take(held.bytes, bytes)
  held.taken = ends.length
  held.places = createPlaces(ends.length)
  for (let number = 0; number < ends.length; number++) settle(held, number)
}

/** Twice the places. */
function spread(held: Held): void {
  const { places } = held
  held.places = createPlaces(places.length)
  for (const number of places) if (number !== nowhere) settle(held, number)
}

/** Of strings that are all different. */
function settle(held: Held, number: number): void {
  const { places, bytes, ends } = held
  const hash = hashOf(bytes.values, startOf(held, number), ends.values[number] as number)
  let place = hash & (places.length - 1)
  while (places[place] !== nowhere) place = (place + 1) & (places.length - 1)
  places[place] = number
}

/** At most half of them are taken: then few stand where another should. */
function createPlaces(count: number): Int32Array {
  const doublings = Math.ceil(Math.log2(Math.max(leastPlaces, 2 * count + 2)))
  return new Int32Array(2 ** doublings).fill(nowhere)
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = seed
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  // The low bits know nothing of the high ones yet.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}

/** What was added is never changed: it can be read later. */
function dump(held: Held, numbers: Int32Array): DumpedStrings {
  const starts = new Uint32Array(numbers.length)
  const lengths = new Uint32Array(numbers.length)
  const ends = new Uint32Array(numbers.length)
  let end = 0
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number
    const start = startOf(held, number)
    const length = (held.ends.values[number] as number) - start
    starts[at] = start
    lengths[at] = length
    end += length
    ends[at] = end
  }
  return {
    ends,
    bytes: gather({
      ...{ starts, lengths, make: (length) => new Uint8Array(length) },
      valueAt: (place) => held.bytes.values[place] as number,
    }),
  }
}
