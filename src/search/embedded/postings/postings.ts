import { createBm25, type TermStatistics } from '../../ranking/lexical.ts'

import { createGrowableArray, type GrowableArray, push, reserve } from '../growable-array.ts'
import { createStringTable, notFound } from '../string-table.ts'
import { createMaxScore, type TopKRequest } from './max-score.ts'
import {
  averageLength,
  codesOf,
  createFrequencyReader,
  frequencyBits,
  idfOfTerm,
  maxFrequency,
  type PostingLists,
} from './posting-lists.ts'
import {
  dumpPostings,
  type PostingsDump,
  restorePostings,
  type SerializedPostings,
} from './serialized-postings.ts'

const maxSlots = 2 ** (32 - frequencyBits)
/** Capacities are 1 to 8, then 10, 12, 14, 16, 20 and so on: four size classes per doubling. */
function capacityOf(sizeClass: number): number {
  return sizeClass < 3
    ? sizeClass + 1
    : (4 + ((sizeClass - 3) % 4)) * 2 ** Math.floor((sizeClass - 3) / 4)
}

/** The smallest size class with this capacity. */
function sizeClassFor(room: number): number {
  if (room < 4) return room - 1
  const doublings = 29 - Math.clz32(room - 1)
  return doublings < 0 ? 3 : 4 * doublings + Math.ceil(room / 2 ** doublings) - 1
}

/** The terms of an index by their code from 0, and in how many texts each is. */
export interface Vocabulary {
  count(): number
  termAt(code: number): string
  frequencyAt(code: number): number
  frequencyOf(term: string): number
}

/**
 * An inverted index with a forward index. Texts are added and removed as a whole. Postings of a
 * removed text stay until compaction and are ignored.
 */
export interface Postings extends Omit<TermStatistics, 'countTerms'> {
  /** The slot must be larger than all earlier ones. */
  add(slot: number, terms: readonly string[]): void
  remove(slot: number): void
  /** Term frequencies, slot by slot, in the order of the terms. */
  countTerms(terms: readonly string[], slots: ArrayLike<number>): Uint8Array
  /** The top-k slots by BM25, best first. */
  topK(terms: readonly string[], request: TopKRequest): number[]
  /** Codes of the distinct terms of a slot; stable while the process runs. */
  codesOf(slot: number): Uint32Array
  /** Distinct terms of a slot with their frequencies. */
  termsOf(slot: number): readonly (readonly [term: string, count: number])[]
  readonly vocabulary: Vocabulary
  /** The number of slots with at least one term. */
  count(): number
  /** Copies the texts of the given slots, renumbered from 0. */
  dump(slots: Int32Array): PostingsDump
}

export function createPostings(serialized?: SerializedPostings): Postings {
  const integers = () => createGrowableArray((length) => new Uint32Array(length))
  const bytes = () => createGrowableArray((length) => new Uint8Array(length))
  const lists: PostingLists = {
    terms: createStringTable(serialized?.terms),
    freeOffsets: [],
    activeDumps: 0,
    count: 0,
    totalLength: 0,
    start: integers(),
    used: integers(),
    capacity: integers(),
    documentFrequency: integers(),
    arena: integers(),
    forwardStart: integers(),
    forwardLength: integers(),
    lengths: integers(),
    forwardTerms: integers(),
    forwardCounts: bytes(),
    maxTermFrequency: bytes(),
  }
  if (serialized) restorePostings(lists, serialized)
  return {
    add: (slot, terms) => add(lists, slot, terms),
    remove: (slot) => remove(lists, slot),
    topK: createMaxScore(lists),
    idfOf: (term) => idfOfTerm(lists, term),
    codesOf: (slot) => codesOf(lists, slot),
    termsOf: (slot) => termsOf(lists, slot),
    countTerms: (terms, slots) => countTerms(lists, terms, slots),
    createScore: (terms) =>
      createBm25(
        terms.map((term) => idfOfTerm(lists, term)),
        averageLength(lists),
      ),
    lengthOf: (slot) => lists.lengths.values[slot] ?? 0,
    vocabulary: {
      count: () => lists.terms.count(),
      termAt: lists.terms.at,
      frequencyAt: (code) => lists.documentFrequency.values[code] ?? 0,
      frequencyOf: (term) => lists.documentFrequency.values[lists.terms.find(term)] ?? 0,
    },
    count: () => lists.count,
    dump: (slots) => dumpPostings(lists, slots),
  }
}

function add(lists: PostingLists, slot: number, terms: readonly string[]): void {
  if (slot >= maxSlots) throw new RangeError(`No more than ${maxSlots} texts can be indexed.`)
  const counts = new Map<number, number>()
  for (const term of terms) {
    const code = codeOf(lists, term)
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  const { forwardStart, forwardLength, lengths, forwardTerms, forwardCounts, documentFrequency } =
    lists
  while (lengths.length <= slot)
    for (const column of [forwardStart, forwardLength, lengths]) push(column, 0)
  forwardStart.values[slot] = forwardTerms.length
  forwardLength.values[slot] = counts.size
  lengths.values[slot] = terms.length
  for (const [code, count] of counts) {
    const frequency = Math.min(count, maxFrequency)
    push(forwardTerms, code)
    push(forwardCounts, frequency)
    append(lists, code, slot * 2 ** frequencyBits + frequency)
    documentFrequency.values[code] = (documentFrequency.values[code] ?? 0) + 1
  }
  if (terms.length > 0) lists.count += 1
  lists.totalLength += terms.length
}

function countTerms(
  lists: PostingLists,
  terms: readonly string[],
  slots: ArrayLike<number>,
): Uint8Array {
  const counts = new Uint8Array(slots.length * terms.length)
  const count = createFrequencyReader(lists, terms)
  for (let at = 0; at < slots.length; at++) count(slots[at] as number, counts, at * terms.length)
  return counts
}

function remove(lists: PostingLists, slot: number): void {
  const { lengths, forwardLength, documentFrequency } = lists
  const length = lengths.values[slot] ?? 0
  if (length === 0) return
  for (const code of codesOf(lists, slot))
    documentFrequency.values[code] = (documentFrequency.values[code] ?? 1) - 1
  lists.count -= 1
  lists.totalLength -= length
  lengths.values[slot] = 0
  forwardLength.values[slot] = 0
}

function termsOf(lists: PostingLists, slot: number) {
  const from = lists.forwardStart.values[slot] ?? 0
  return Array.from(
    codesOf(lists, slot),
    (code, at) => [lists.terms.at(code), lists.forwardCounts.values[from + at] ?? 0] as const,
  )
}

function codeOf(lists: PostingLists, term: string): number {
  const existing = lists.terms.find(term)
  if (existing !== notFound) return existing
  const { start, used, capacity, documentFrequency, maxTermFrequency } = lists
  for (const column of [start, used, capacity, documentFrequency, maxTermFrequency]) push(column, 0)
  return lists.terms.add(term)
}

/** A full list moves to a larger place; its old place is reused. */
function append(lists: PostingLists, code: number, posting: number): void {
  const { start, used, capacity, arena, maxTermFrequency } = lists
  const length = used.values[code] ?? 0
  const oldCapacity = capacity.values[code] ?? 0
  if (length === oldCapacity) {
    const sizeClass = sizeClassFor(oldCapacity + 1)
    const from = start.values[code] ?? 0
    const to = lists.freeOffsets[sizeClass]?.pop() ?? allocate(arena, capacityOf(sizeClass))
    arena.values.copyWithin(to, from, from + length)
    free(lists, from, oldCapacity)
    start.values[code] = to
    capacity.values[code] = capacityOf(sizeClass)
  }
  arena.values[(start.values[code] ?? 0) + length] = posting
  used.values[code] = length + 1
  maxTermFrequency.values[code] = Math.max(
    maxTermFrequency.values[code] ?? 0,
    posting & maxFrequency,
  )
}

/** Restored lists may have odd capacities: the excess is not reused. */
function free({ freeOffsets, activeDumps }: PostingLists, offset: number, room: number): void {
  if (room === 0 || activeDumps > 0) return
  const sizeClass = sizeClassFor(room)
  const fitting = capacityOf(sizeClass) > room ? sizeClass - 1 : sizeClass
  freeOffsets[fitting] ??= []
  freeOffsets[fitting].push(offset)
}

function allocate(arena: GrowableArray<Uint32Array>, room: number): number {
  const offset = arena.length
  reserve(arena, room)
  arena.length += room
  return offset
}
