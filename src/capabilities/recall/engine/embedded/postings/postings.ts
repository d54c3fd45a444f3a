import { createGrowing, type Growing, push, reserve } from '../growing.ts'
import { rarityOf } from '../rarity.ts'
import { weightOf } from '../text/terms.ts'
import { createBm25, createNorms, most } from './bm25.ts'

/** A posting is a slot and how often it holds the term: 24 bits and 8. */
const countBits = 8
const mostCounted = 255
const mostSlots = 2 ** (32 - countBits)
const leastRoom = 2

/**
 * Which slots hold which term. Texts are only ever added and taken away as a whole; a slot that was
 * taken away stays in its lists until they are written anew, and counts for nothing.
 */
export interface Postings {
  /** The slot is larger than every slot before it. */
  add(slot: number, terms: readonly string[]): void
  remove(slot: number): void
  /** BM25 for each slot that holds a term; slots that were taken away have some too. */
  score(terms: readonly string[]): Float32Array
  /** How rare each term is, from nearly 0 on; a term that nothing holds is as rare as can be. */
  rarityOf(term: string): number
  /** The terms a slot holds, and how often, as the words of the dictionary. */
  termsOf(slot: number): readonly (readonly [term: string, count: number])[]
  /** Tells of a slot how often it holds each of these terms, in their order. */
  createCounter(terms: readonly string[]): (slot: number) => Uint8Array
  /** BM25 of one text, given how often it holds each of these terms. */
  createScore(terms: readonly string[]): (counts: ArrayLike<number>, length: number) => number
  /** How many terms a slot has, repetitions among them. */
  lengthOf(slot: number): number
  /** Slots that hold at least one term. */
  count(): number
  /** The texts of these slots, as slots from 0 on. */
  dump(slots: readonly number[]): KeptTexts
}

/** Texts one after another, each by its distinct terms and how often it holds them. */
export interface KeptTexts {
  readonly terms: readonly string[]
  /** By slot: how many terms its text has, and how many distinct ones. */
  readonly lengths: Uint32Array
  readonly distinct: Uint32Array
  readonly codes: Uint32Array
  readonly counts: Uint8Array
}

interface Lists {
  readonly codes: Map<string, number>
  readonly terms: string[]
  /** By term: where its list is, how long, how much room it has, and in how many living texts it is. */
  readonly start: Growing<Uint32Array>
  readonly used: Growing<Uint32Array>
  readonly room: Growing<Uint32Array>
  readonly living: Growing<Uint32Array>
  readonly arena: Growing<Uint32Array>
  /** Abandoned places by the power of two that is their room. */
  readonly abandoned: number[][]
  /** By slot: where its distinct terms are, and how long its text is; 0 for one that is not there. */
  readonly ownStart: Growing<Uint32Array>
  readonly ownUsed: Growing<Uint32Array>
  readonly lengths: Growing<Uint32Array>
  readonly own: Growing<Uint32Array>
  readonly ownCounts: Growing<Uint8Array>
  count: number
  totalLength: number
}

export function createPostings(kept?: KeptTexts): Postings {
  const integers = () => createGrowing((length) => new Uint32Array(length))
  const lists: Lists = {
    ...{ codes: new Map(), terms: [], abandoned: [], count: 0, totalLength: 0 },
    ...{ start: integers(), used: integers(), room: integers(), living: integers() },
    ...{ arena: integers(), ownStart: integers(), ownUsed: integers(), lengths: integers() },
    own: integers(),
    ownCounts: createGrowing((length) => new Uint8Array(length)),
  }
  if (kept) restore(lists, kept)
  return {
    add: (slot, terms) => add(lists, slot, terms),
    remove: (slot) => remove(lists, slot),
    score: (terms) => score(lists, terms),
    rarityOf: (term) => rarityOfTerm(lists, term),
    termsOf: (slot) => termsOf(lists, slot),
    createCounter: (terms) => createCounter(lists, terms),
    createScore: (terms) => createScore(lists, terms),
    lengthOf: (slot) => lists.lengths.values[slot] ?? 0,
    count: () => lists.count,
    dump: (slots) => dump(lists, slots),
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

function dump(lists: Lists, slots: readonly number[]): KeptTexts {
  const { lengths, ownStart, ownUsed, own, ownCounts } = lists
  const distinct = Uint32Array.from(slots, (slot) => ownUsed.values[slot] ?? 0)
  const all = distinct.reduce((sum, count) => sum + count, 0)
  const kept = { codes: new Uint32Array(all), counts: new Uint8Array(all), terms: [] as string[] }
  const renumbered = new Int32Array(lists.terms.length).fill(-1)
  let at = 0
  for (const slot of slots) {
    const from = ownStart.values[slot] ?? 0
    const to = from + (ownUsed.values[slot] ?? 0)
    for (let place = from; place < to; place++, at++) {
      const code = own.values[place] as number
      if (renumbered[code] === -1) renumbered[code] = kept.terms.push(lists.terms[code] ?? '') - 1
      kept.codes[at] = renumbered[code] as number
      kept.counts[at] = ownCounts.values[place] as number
    }
  }
  return {
    ...kept,
    distinct,
    lengths: Uint32Array.from(slots, (slot) => lengths.values[slot] ?? 0),
  }
}

/** Every list gets exactly the room it needs. */
function restore(lists: Lists, { terms, lengths, distinct, codes, counts }: KeptTexts): void {
  for (const term of terms) codeOf(lists, term)
  for (const code of codes) lists.living.values[code] = (lists.living.values[code] as number) + 1
  for (const [code, room] of lists.living.values.subarray(0, terms.length).entries()) {
    lists.start.values[code] = takePlace(lists.arena, room)
    lists.room.values[code] = room
  }
  take(lists.own, codes)
  take(lists.ownCounts, counts)
  take(lists.ownUsed, distinct)
  take(lists.lengths, lengths)
  let at = 0
  for (let slot = 0; slot < lengths.length; slot++) {
    push(lists.ownStart, at)
    const to = at + (distinct[slot] as number)
    for (; at < to; at++)
      append(lists, codes[at] as number, slot * 2 ** countBits + (counts[at] as number))
    if ((lengths[slot] as number) > 0) lists.count += 1
    lists.totalLength += lengths[slot] as number
  }
}

function take<Values extends Uint32Array | Uint8Array>(into: Growing<Values>, values: Values) {
  reserve(into, values.length)
  into.values.set(values, 0)
  into.length = values.length
}

function score(lists: Lists, terms: readonly string[]): Float32Array {
  const { lengths, arena, start, used, count, totalLength } = lists
  const scores = new Float32Array(lengths.length)
  const norms = createNorms(count === 0 ? 1 : totalLength / count)
  for (const term of new Set(terms)) {
    const code = lists.codes.get(term)
    if (code === undefined) continue
    const rarity = rarityOfTerm(lists, term) * most
    const from = start.values[code] ?? 0
    const to = from + (used.values[code] ?? 0)
    for (let at = from; at < to; at++) {
      const posting = arena.values[at] as number
      const slot = posting >>> countBits
      const counted = posting & mostCounted
      const length = lengths.values[slot] as number
      scores[slot] =
        (scores[slot] as number) + (rarity * counted) / (counted + norms.base + norms.step * length)
    }
  }
  return scores
}

function createCounter(lists: Lists, terms: readonly string[]) {
  const places = new Map<number, number>()
  for (const [place, term] of terms.entries()) {
    const code = lists.codes.get(term)
    if (code !== undefined) places.set(code, place)
  }
  return (slot: number): Uint8Array => {
    const counts = new Uint8Array(terms.length)
    const from = lists.ownStart.values[slot] ?? 0
    const to = from + (lists.ownUsed.values[slot] ?? 0)
    for (let at = from; at < to; at++) {
      const place = places.get(lists.own.values[at] as number)
      if (place !== undefined) counts[place] = lists.ownCounts.values[at] as number
    }
    return counts
  }
}

function createScore(lists: Lists, terms: readonly string[]) {
  const { count, totalLength } = lists
  const rarities = terms.map((term) => rarityOfTerm(lists, term))
  return createBm25(rarities, count === 0 ? 1 : totalLength / count)
}

function rarityOfTerm({ count, codes, living }: Lists, term: string): number {
  const holding = living.values[codes.get(term) ?? -1] ?? 0
  return weightOf(term) * rarityOf({ holding, of: count })
}

function termsOf(lists: Lists, slot: number) {
  const from = lists.ownStart.values[slot] ?? 0
  return Array.from(
    codesOf(lists, slot),
    (code, at) => [lists.terms[code] ?? '', lists.ownCounts.values[from + at] ?? 0] as const,
  )
}

function codesOf({ ownStart, ownUsed, own }: Lists, slot: number): Uint32Array {
  const from = ownStart.values[slot] ?? 0
  return own.values.subarray(from, from + (ownUsed.values[slot] ?? 0))
}

function codeOf(lists: Lists, term: string): number {
  const there = lists.codes.get(term)
  if (there !== undefined) return there
  const code = lists.terms.push(term) - 1
  lists.codes.set(term, code)
  for (const column of [lists.start, lists.used, lists.room, lists.living]) push(column, 0)
  return code
}

/** A list that is full moves to twice the room; what it leaves serves the next list of that size. */
function append(lists: Lists, code: number, posting: number): void {
  const { start, used, room, arena } = lists
  const length = used.values[code] ?? 0
  const had = room.values[code] ?? 0
  if (length === had) {
    const wanted = Math.max(leastRoom, 2 ** Math.ceil(Math.log2(had + 1)))
    const from = start.values[code] ?? 0
    const to = lists.abandoned[Math.log2(wanted)]?.pop() ?? takePlace(arena, wanted)
    arena.values.copyWithin(to, from, from + length)
    abandon(lists, from, had)
    start.values[code] = to
    room.values[code] = wanted
  }
  arena.values[(start.values[code] ?? 0) + length] = posting
  used.values[code] = length + 1
}

/** Lists that come from a snapshot have odd rooms, which nobody wants again. */
function abandon({ abandoned }: Lists, place: number, room: number): void {
  const size = Math.log2(room)
  if (room === 0 || !Number.isInteger(size)) return
  abandoned[size] ??= []
  abandoned[size].push(place)
}

function takePlace(arena: Growing<Uint32Array>, room: number): number {
  const place = arena.length
  reserve(arena, room)
  arena.length += room
  return place
}
