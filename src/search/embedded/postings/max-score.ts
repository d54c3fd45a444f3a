import { createBm25, createLengthNorm, maxTermFactor } from '../../ranking/lexical.ts'
import { createTopK } from '../../ranking/top-k.ts'
import { createGrowableArray, type GrowableArray, push } from '../growable-array.ts'
import { notFound } from '../string-table.ts'
import {
  averageLength,
  createFrequencyReader,
  frequencyBits,
  idfOfTerm,
  maxFrequency,
  type PostingLists,
} from './posting-lists.ts'

export interface TopKRequest {
  /** 1 for each slot that may be returned. */
  readonly mask: Uint8Array
  /** The k of top-k. */
  readonly count: number
}

interface QueryTerm {
  readonly term: string
  readonly code: number
  readonly idf: number
  /** Upper bound of the score that this term and the following ones can add. */
  readonly bound: number
}

/** Candidate slots with their partial scores. */
interface Accumulator {
  readonly slots: GrowableArray<Int32Array>
  sums: Float32Array
}

/** Partial scores have single precision; this factor allows for rounding. */
const roundingFactor = 1 - 1e-6

/**
 * MaxScore: terms are processed by descending upper bound. When the remaining terms cannot bring a
 * new text into the top k, their posting lists are not scanned. The forward index then gives their
 * frequencies in the candidates. A list that is cheaper to scan adds to known candidates first.
 */
export function createMaxScore(lists: PostingLists) {
  const accumulator: Accumulator = {
    slots: createGrowableArray((length) => new Int32Array(length)),
    sums: new Float32Array(0),
  }
  return (terms: readonly string[], { mask, count }: TopKRequest): number[] => {
    const queryTerms = toQueryTerms(lists, terms)
    if (accumulator.sums.length < lists.lengths.length)
      accumulator.sums = new Float32Array(lists.lengths.values.length)
    const { scannedCount, threshold } = scanLists(lists, queryTerms, {
      accumulator,
      mask,
      count,
    })
    let selection = {
      remainingTerms: queryTerms.slice(scannedCount),
      accumulator,
      threshold,
      count,
    }
    for (const queryTerm of selection.remainingTerms) {
      if (!isCheaperToScan(lists, selection)) break
      accumulate(lists, queryTerm, { accumulator, mask, onlyKnown: true })
      selection = { ...selection, remainingTerms: selection.remainingTerms.slice(1) }
    }
    return selectTopK(lists, selection)
  }
}

/** Returns the number of scanned lists and the score threshold of the top k. */
function scanLists(
  lists: PostingLists,
  queryTerms: readonly QueryTerm[],
  { accumulator, mask, count }: TopKRequest & { readonly accumulator: Accumulator },
) {
  let threshold = 0
  for (const [scannedCount, queryTerm] of queryTerms.entries()) {
    if (queryTerm.bound < threshold) return { scannedCount, threshold }
    accumulate(lists, queryTerm, { accumulator, mask })
    if (canStop(lists, queryTerms, { scannedCount: scannedCount + 1, accumulator }))
      threshold = thresholdOf(accumulator, count) * roundingFactor
  }
  return { scannedCount: queryTerms.length, threshold }
}

function toQueryTerms(lists: PostingLists, terms: readonly string[]): QueryTerm[] {
  const lengthNorm = createLengthNorm(averageLength(lists))
  const bounded = [...new Set(terms)].flatMap((term) => {
    const code = lists.terms.find(term)
    if (code === notFound) return []
    const idf = idfOfTerm(lists, term)
    const frequency = lists.maxTermFrequency.values[code] as number
    const bound =
      (idf * maxTermFactor * frequency) / (frequency + lengthNorm.base + lengthNorm.step)
    return [{ term, code, idf, bound }]
  })
  let bound = 0
  return bounded
    .toSorted((a, b) => a.bound - b.bound)
    .map((queryTerm) => {
      bound += queryTerm.bound
      return { ...queryTerm, bound }
    })
    .reverse()
}

function accumulate(
  lists: PostingLists,
  { code, idf }: QueryTerm,
  {
    accumulator,
    mask,
    onlyKnown = false,
  }: { accumulator: Accumulator; mask: Uint8Array; onlyKnown?: boolean },
) {
  const { arena, start, used } = lists
  const { slots, sums } = accumulator
  const lengths = lists.lengths.values
  const { base, step } = createLengthNorm(averageLength(lists))
  const maxScore = idf * maxTermFactor
  const postings = arena.values
  const from = start.values[code] as number
  const to = from + (used.values[code] as number)
  for (let index = from; index < to; index++) {
    const posting = postings[index] as number
    const slot = posting >>> frequencyBits
    const partialSum = sums[slot] as number
    if (partialSum === 0) {
      if (onlyKnown || mask[slot] !== 1) continue
      push(slots, slot)
    }
    const frequency = posting & maxFrequency
    sums[slot] =
      partialSum + (maxScore * frequency) / (frequency + base + step * (lengths[slot] as number))
  }
}

/** The threshold costs a pass over all candidates, which short lists do not justify. */
function canStop(
  { used }: PostingLists,
  queryTerms: readonly QueryTerm[],
  {
    scannedCount,
    accumulator,
  }: { readonly scannedCount: number; readonly accumulator: Accumulator },
): boolean {
  const remainingTerms = queryTerms.slice(scannedCount)
  const reached = (queryTerms[0]?.bound ?? 0) - (remainingTerms[0]?.bound ?? 0)
  const postings = remainingTerms.reduce((sum, { code }) => sum + (used.values[code] as number), 0)
  return postings > accumulator.slots.length && reached > (remainingTerms[0]?.bound ?? 0)
}

function thresholdOf(accumulator: Accumulator, count: number): number {
  const topK = createTopK(count)
  forEachCandidate(accumulator, 0, (slot, sum) => {
    topK.push(slot, sum)
    return topK.threshold()
  })
  return topK.threshold()
}

/** Cost of one forward-index lookup, in postings read. */
const lookupCost = 64

/** Whether scanning the next list is cheaper than looking up the candidates one by one. */
function isCheaperToScan(
  { used }: PostingLists,
  { remainingTerms: [next], accumulator, threshold }: Selection,
): boolean {
  if (!next) return false
  const postings = used.values[next.code] as number
  if (postings >= lookupCost * accumulator.slots.length) return false
  const minScore = threshold - next.bound
  let texts = 0
  forEachCandidate(accumulator, minScore, () => {
    texts += 1
    return minScore
  })
  return postings < lookupCost * texts
}

/** Returns a function that gives the score of the remaining terms for a slot. */
function createRemainingScore(
  lists: PostingLists,
  remainingTerms: readonly QueryTerm[],
): (slot: number) => number {
  if (remainingTerms.length === 0) return () => 0
  const counts = new Uint8Array(remainingTerms.length)
  const countTerms = createFrequencyReader(
    lists,
    remainingTerms.map(({ term }) => term),
  )
  const scoreOf = createBm25(
    remainingTerms.map(({ idf }) => idf),
    averageLength(lists),
  )
  return (slot) => {
    counts.fill(0)
    countTerms(slot, counts, 0)
    return scoreOf(counts, lists.lengths.values[slot] as number)
  }
}

/** Above this share of slots, all sums are visited in order instead of the candidate list. */
const denseShare = 1 / 8
/** The smallest positive single-precision number. */
const minSum = 2 ** -149

/** Calls back for each candidate that reaches the threshold; the callback returns the new threshold. */
function forEachCandidate(
  { slots, sums }: Accumulator,
  threshold: number,
  onCandidate: (slot: number, sum: number) => number,
): void {
  const isDense = slots.length > denseShare * sums.length
  const count = isDense ? sums.length : slots.length
  let minScore = Math.max(minSum, threshold)
  for (let index = 0; index < count; index++) {
    const slot = isDense ? index : (slots.values[index] as number)
    const sum = sums[slot] as number
    if (sum >= minScore) minScore = Math.max(minSum, onCandidate(slot, sum))
  }
}

interface Selection {
  readonly remainingTerms: readonly QueryTerm[]
  readonly accumulator: Accumulator
  /** Score of the k-th best candidate, without the remaining terms. */
  readonly threshold: number
  readonly count: number
}

/** Selects the top k and resets the accumulator. */
function selectTopK(
  lists: PostingLists,
  { remainingTerms, accumulator, threshold, count }: Selection,
): number[] {
  const remainingScore = createRemainingScore(lists, remainingTerms)
  const bound = remainingTerms[0]?.bound ?? 0
  const topK = createTopK(count)
  forEachCandidate(accumulator, threshold - bound, (slot, sum) => {
    topK.push(slot, sum + remainingScore(slot))
    return Math.max(threshold, topK.threshold() * roundingFactor) - bound
  })
  reset(accumulator)
  return topK.slots()
}

function reset({ slots, sums }: Accumulator): void {
  if (slots.length > denseShare * sums.length) sums.fill(0)
  else for (let index = 0; index < slots.length; index++) sums[slots.values[index] as number] = 0
  slots.length = 0
}
