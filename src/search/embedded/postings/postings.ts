import { createBm25 } from '../../ranking/bm25.ts'
import type { WordCounts } from '../../ranking/lexical.ts'
import { createGrowing, type Growing, push, reserve } from '../growable-array.ts'
import { createStrings, nowhere } from '../string-table.ts'
import { createBestTexts, type Wanted } from './max-score.ts'
import {
  averageLength,
  codesOf,
  countBits,
  createCounter,
  type Lists,
  mostCounted,
  rarityOfTerm,
} from './posting-lists.ts'
import { type DumpedTexts, dumpTexts, type KeptTexts, restoreTexts } from './serialized-postings.ts'

const mostSlots = 2 ** (32 - countBits)
/** Rooms are 1 to 8, then 10, 12, 14, 16, 20 and so on: four sizes to a doubling, numbered from 0. */
function roomOf(size: number): number {
  return size < 3 ? size + 1 : (4 + ((size - 3) % 4)) * 2 ** Math.floor((size - 3) / 4)
}

/** The least that has so much room. */
function sizeFor(room: number): number {
  if (room < 4) return room - 1
  const doublings = 29 - Math.clz32(room - 1)
  return doublings < 0 ? 3 : 4 * doublings + Math.ceil(room / 2 ** doublings) - 1
}

/**
 * Which slots hold which term. Texts are only ever added and taken away as a whole; a slot that was
 * taken away stays in its lists until they are written anew, and counts for nothing.
 */
export interface Postings extends Omit<WordCounts, 'countTerms'> {
  /** The slot is larger than every slot before it. */
  add(slot: number, terms: readonly string[]): void
  remove(slot: number): void
  /** How often each of these slots holds each of these terms, slot by slot. */
  countTerms(terms: readonly string[], slots: ArrayLike<number>): Uint8Array
  /** The slots that BM25 finds best for these terms, the best first. */
  findBest(terms: readonly string[], wanted: Wanted): number[]
  /** The distinct terms a slot holds, by numbers that stand for them for as long as the process lives. */
  codesOf(slot: number): Uint32Array
  /** The terms a slot holds, and how often, as the words of the dictionary. */
  termsOf(slot: number): readonly (readonly [term: string, count: number])[]
  /** Slots that hold at least one term. */
  count(): number
  /** The texts of these slots as they are now, as slots from 0 on. */
  dump(slots: Int32Array): DumpedTexts
}

export function createPostings(kept?: KeptTexts): Postings {
  const integers = () => createGrowing((length) => new Uint32Array(length))
  const bytes = () => createGrowing((length) => new Uint8Array(length))
  const lists: Lists = {
    ...{ terms: createStrings(kept?.terms), abandoned: [], dumps: 0, count: 0, totalLength: 0 },
    ...{ start: integers(), used: integers(), room: integers(), living: integers() },
    ...{ arena: integers(), ownStart: integers(), ownUsed: integers(), lengths: integers() },
    own: integers(),
    ...{ ownCounts: bytes(), most: bytes() },
  }
  if (kept) restoreTexts(lists, kept)
  return {
    add: (slot, terms) => add(lists, slot, terms),
    remove: (slot) => remove(lists, slot),
    findBest: createBestTexts(lists),
    rarityOf: (term) => rarityOfTerm(lists, term),
    codesOf: (slot) => codesOf(lists, slot),
    termsOf: (slot) => termsOf(lists, slot),
    countTerms: (terms, slots) => countTerms(lists, terms, slots),
    createScore: (terms) =>
      createBm25(
        terms.map((term) => rarityOfTerm(lists, term)),
        averageLength(lists),
      ),
    lengthOf: (slot) => lists.lengths.values[slot] ?? 0,
    count: () => lists.count,
    dump: (slots) => dumpTexts(lists, slots),
  }
}

function add(lists: Lists, slot: number, terms: readonly string[]): void {
  if (slot >= mostSlots) throw new RangeError(`No more than ${mostSlots} texts can be indexed.`)
  const counts = new Map<number, number>()
  for (const term of terms) {
    const code = codeOf(lists, term)
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  const { ownStart, ownUsed, lengths, own, ownCounts, living } = lists
  while (lengths.length <= slot) for (const column of [ownStart, ownUsed, lengths]) push(column, 0)
  ownStart.values[slot] = own.length
  ownUsed.values[slot] = counts.size
  lengths.values[slot] = terms.length
  for (const [code, count] of counts) {
    const counted = Math.min(count, mostCounted)
    push(own, code)
    push(ownCounts, counted)
    append(lists, code, slot * 2 ** countBits + counted)
    living.values[code] = (living.values[code] ?? 0) + 1
  }
  if (terms.length > 0) lists.count += 1
  lists.totalLength += terms.length
}

function countTerms(lists: Lists, terms: readonly string[], slots: ArrayLike<number>): Uint8Array {
  const counts = new Uint8Array(slots.length * terms.length)
  const count = createCounter(lists, terms)
  for (let at = 0; at < slots.length; at++) count(slots[at] as number, counts, at * terms.length)
  return counts
}

function remove(lists: Lists, slot: number): void {
  const { lengths, ownUsed, living } = lists
  const length = lengths.values[slot] ?? 0
  if (length === 0) return
  for (const code of codesOf(lists, slot)) living.values[code] = (living.values[code] ?? 1) - 1
  lists.count -= 1
  lists.totalLength -= length
  lengths.values[slot] = 0
  ownUsed.values[slot] = 0
}

function termsOf(lists: Lists, slot: number) {
  const from = lists.ownStart.values[slot] ?? 0
  return Array.from(
    codesOf(lists, slot),
    (code, at) => [lists.terms.at(code), lists.ownCounts.values[from + at] ?? 0] as const,
  )
}

function codeOf(lists: Lists, term: string): number {
  const there = lists.terms.find(term)
  if (there !== nowhere) return there
  const { start, used, room, living, most } = lists
  for (const column of [start, used, room, living, most]) push(column, 0)
  return lists.terms.add(term)
}

/** A list that is full moves to a quarter more room; what it leaves serves lists that need no more. */
function append(lists: Lists, code: number, posting: number): void {
  const { start, used, room, arena, most } = lists
  const length = used.values[code] ?? 0
  const had = room.values[code] ?? 0
  if (length === had) {
    const size = sizeFor(had + 1)
    const from = start.values[code] ?? 0
    const to = lists.abandoned[size]?.pop() ?? takePlace(arena, roomOf(size))
    arena.values.copyWithin(to, from, from + length)
    abandon(lists, from, had)
    start.values[code] = to
    room.values[code] = roomOf(size)
  }
  arena.values[(start.values[code] ?? 0) + length] = posting
  used.values[code] = length + 1
  most.values[code] = Math.max(most.values[code] ?? 0, posting & mostCounted)
}

/** Lists that come from a snapshot have odd rooms: what is more than a size goes unused. */
function abandon({ abandoned, dumps }: Lists, place: number, room: number): void {
  if (room === 0 || dumps > 0) return
  const size = sizeFor(room)
  const fitting = roomOf(size) > room ? size - 1 : size
  abandoned[fitting] ??= []
  abandoned[fitting].push(place)
}

function takePlace(arena: Growing<Uint32Array>, room: number): number {
  const place = arena.length
  reserve(arena, room)
  arena.length += room
  return place
}
