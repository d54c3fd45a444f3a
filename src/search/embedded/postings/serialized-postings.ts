import { adopt, gather, pick } from '../growable-array.ts'
import type { SerializedStrings, StringsDump } from '../string-table.ts'
import { frequencyBits, maxFrequency, type PostingLists } from './posting-lists.ts'

/** The forward index by text, followed by the inverted index by term. */
export interface SerializedPostings {
  readonly terms: SerializedStrings
  /** By slot: number of terms, and of distinct terms. */
  readonly lengths: Uint32Array
  readonly distinct: Uint32Array
  readonly codes: Uint32Array
  readonly counts: Uint8Array
  /** By term: document frequency, and maximum frequency in one text. */
  readonly documentFrequency: Uint32Array
  readonly maxTermFrequency: Uint8Array
  readonly postings: Uint32Array
}

/** Parts are generated on demand until `release`; `maxTermFrequency` is complete after `postings`. */
export interface PostingsDump
  extends Pick<
    SerializedPostings,
    'lengths' | 'distinct' | 'documentFrequency' | 'maxTermFrequency'
  > {
  readonly terms: () => StringsDump
  readonly codes: Iterable<Uint32Array>
  readonly counts: Iterable<Uint8Array>
  readonly postings: Iterable<Uint32Array>
  release(): void
}

/** Copies the texts of the given slots, renumbered from 0, and the terms they contain. */
export function dumpPostings(lists: PostingLists, slots: Int32Array): PostingsDump {
  const codes = listUsedTerms(lists)
  const starts = pick(lists.forwardStart.values, slots)
  const distinct = pick(lists.forwardLength.values, slots)
  const copy = {
    distinct,
    lengths: pick(lists.lengths.values, slots),
    documentFrequency: pick(lists.documentFrequency.values, codes),
    maxTermFrequency: new Uint8Array(codes.length),
  }
  const { forwardCounts } = lists
  lists.activeDumps += 1
  return {
    ...copy,
    terms: () => lists.terms.dump(codes),
    codes: listCodes(lists, { starts, lengths: distinct, codes }),
    counts: gather({
      starts,
      lengths: distinct,
      make: (length) => new Uint8Array(length),
      valueAt: (index) => forwardCounts.values[index] as number,
    }),
    postings: listPostings(lists, {
      starts: pick(lists.start.values, codes),
      used: pick(lists.used.values, codes),
      slots,
      maxTermFrequency: copy.maxTermFrequency,
    }),
    release: () => {
      lists.activeDumps -= 1
    },
  }
}

/** Codes of terms that occur in a live text. */
function listUsedTerms({ documentFrequency }: PostingLists): Int32Array {
  const codes = new Int32Array(documentFrequency.length)
  let count = 0
  for (let code = 0; code < documentFrequency.length; code++)
    if (documentFrequency.values[code] !== 0) codes[count++] = code
  return codes.subarray(0, count)
}

interface Texts {
  readonly starts: Uint32Array
  readonly lengths: Uint32Array
  readonly codes: Int32Array
}

/** The forward index is append-only, so that it can be read later. */
function* listCodes(
  lists: PostingLists,
  { starts, lengths, codes }: Texts,
): Generator<Uint32Array> {
  const renumbered = renumber(codes, lists.terms.count())
  const { forwardTerms } = lists
  yield* gather({
    starts,
    lengths,
    make: (length) => new Uint32Array(length),
    valueAt: (index) => renumbered[forwardTerms.values[index] as number] as number,
  })
}

interface Terms {
  readonly starts: Uint32Array
  readonly used: Uint32Array
  readonly slots: Int32Array
  readonly maxTermFrequency: Uint8Array
}

/** About one millisecond of work. */
const postingsBatchSize = 2 ** 16

/** Lists are appended to or moved. While freed places are not reused, old lists can be read later. */
function* listPostings(
  { arena, lengths }: PostingLists,
  { starts, used, slots, maxTermFrequency }: Terms,
): Generator<Uint32Array> {
  const renumbered = renumber(slots, lengths.length)
  const batch = new Uint32Array(postingsBatchSize)
  let count = 0
  for (let term = 0; term < starts.length; term++) {
    const from = starts[term] as number
    const to = from + (used[term] as number)
    for (let index = from; index < to; index++) {
      const posting = arena.values[index] as number
      const slot = renumbered[posting >>> frequencyBits] as number
      if (slot === removed) continue
      maxTermFrequency[term] = Math.max(maxTermFrequency[term] as number, posting & maxFrequency)
      batch[count++] = slot * 2 ** frequencyBits + (posting & maxFrequency)
      if (count < batch.length) continue
      yield batch
      count = 0
    }
  }
  yield batch.subarray(0, count)
}

const removed = -1

/** Maps old numbers to new ones. */
function renumber(numbers: Int32Array, count: number): Int32Array {
  const renumbered = new Int32Array(count).fill(removed)
  for (let at = 0; at < numbers.length; at++) renumbered[numbers[at] as number] = at
  return renumbered
}

/** Each list gets exactly the capacity that it needs. */
export function restorePostings(lists: PostingLists, serialized: SerializedPostings): void {
  adopt(lists.forwardTerms, serialized.codes)
  adopt(lists.forwardCounts, serialized.counts)
  adopt(lists.forwardLength, serialized.distinct)
  adopt(lists.lengths, serialized.lengths)
  adopt(lists.forwardStart, toStarts(serialized.distinct))
  adopt(lists.arena, serialized.postings)
  adopt(lists.used, serialized.documentFrequency)
  adopt(lists.capacity, serialized.documentFrequency.slice())
  adopt(lists.documentFrequency, serialized.documentFrequency.slice())
  adopt(lists.start, toStarts(serialized.documentFrequency))
  adopt(lists.maxTermFrequency, serialized.maxTermFrequency)
  for (const length of serialized.lengths) {
    if (length > 0) lists.count += 1
    lists.totalLength += length
  }
}

/** Prefix sums. */
function toStarts(lengths: Uint32Array): Uint32Array {
  const starts = new Uint32Array(lengths.length)
  let start = 0
  for (let at = 0; at < lengths.length; at++) {
    starts[at] = start
    start += lengths[at] as number
  }
  return starts
}
