import { gather, pick, take } from '../growable-array.ts'
import type { DumpedStrings, KeptStrings } from '../string-table.ts'
import { countBits, type Lists, mostCounted } from './posting-lists.ts'

/** Texts one after another, each by its distinct terms, and terms one after another, each by its texts. */
export interface KeptTexts {
  readonly terms: KeptStrings
  /** By slot: how many terms its text has, and how many distinct ones. */
  readonly lengths: Uint32Array
  readonly distinct: Uint32Array
  readonly codes: Uint32Array
  readonly counts: Uint8Array
  /** By term: in how many texts it is, and how often one of them holds it at most. */
  readonly living: Uint32Array
  readonly most: Uint8Array
  readonly postings: Uint32Array
}

/** Made as it is asked for, until it is ended; `most` once all postings are. */
export interface DumpedTexts extends Pick<KeptTexts, 'lengths' | 'distinct' | 'living' | 'most'> {
  readonly terms: () => DumpedStrings
  readonly codes: Iterable<Uint32Array>
  readonly counts: Iterable<Uint8Array>
  readonly postings: Iterable<Uint32Array>
  end(): void
}

/** The texts of these slots as they are now, as slots from 0 on, and the terms that they hold. */
export function dumpTexts(lists: Lists, slots: Int32Array): DumpedTexts {
  const codes = listLiving(lists)
  const starts = pick(lists.ownStart.values, slots)
  const distinct = pick(lists.ownUsed.values, slots)
  const dumped = {
    ...{ distinct, lengths: pick(lists.lengths.values, slots) },
    ...{ living: pick(lists.living.values, codes), most: new Uint8Array(codes.length) },
  }
  const { ownCounts } = lists
  lists.dumps += 1
  return {
    ...dumped,
    terms: () => lists.terms.dump(codes),
    codes: listCodes(lists, { starts, lengths: distinct, codes }),
    counts: gather({
      ...{ starts, lengths: distinct, make: (length) => new Uint8Array(length) },
      valueAt: (place) => ownCounts.values[place] as number,
    }),
    postings: listPostings(lists, {
      ...{ starts: pick(lists.start.values, codes), used: pick(lists.used.values, codes) },
      ...{ slots, most: dumped.most },
    }),
    end: () => {
      lists.dumps -= 1
    },
  }
}

/** Terms that some text holds. */
function listLiving({ living }: Lists): Int32Array {
  const codes = new Int32Array(living.length)
  let count = 0
  for (let code = 0; code < living.length; code++)
    if (living.values[code] !== 0) codes[count++] = code
  return codes.subarray(0, count)
}

interface Texts {
  readonly starts: Uint32Array
  readonly lengths: Uint32Array
  readonly codes: Int32Array
}

/** What a slot holds is written behind all others, and never changed: it can be read later. */
function* listCodes(lists: Lists, { starts, lengths, codes }: Texts): Generator<Uint32Array> {
  const renumbered = renumber(codes, lists.terms.count())
  const { own } = lists
  yield* gather({
    ...{ starts, lengths, make: (length) => new Uint32Array(length) },
    valueAt: (place) => renumbered[own.values[place] as number] as number,
  })
}

interface Terms {
  readonly starts: Uint32Array
  readonly used: Uint32Array
  readonly slots: Int32Array
  readonly most: Uint8Array
}

/** So many at once take about a millisecond. */
const postingsAtOnce = 2 ** 16

/** A list goes on where it ends, or moves: while what it leaves is not used again, it can be read later. */
function* listPostings(
  { arena, lengths }: Lists,
  { starts, used, slots, most }: Terms,
): Generator<Uint32Array> {
  const renumbered = renumber(slots, lengths.length)
  const told = new Uint32Array(postingsAtOnce)
  let count = 0
  for (let term = 0; term < starts.length; term++) {
    const from = starts[term] as number
    const to = from + (used[term] as number)
    for (let place = from; place < to; place++) {
      const posting = arena.values[place] as number
      const slot = renumbered[posting >>> countBits] as number
      if (slot === gone) continue
      most[term] = Math.max(most[term] as number, posting & mostCounted)
      told[count++] = slot * 2 ** countBits + (posting & mostCounted)
      if (count < told.length) continue
      yield told
      count = 0
    }
  }
  yield told.subarray(0, count)
}

const gone = -1

/** By the number that one of these has had so far: the one it has from now on. */
function renumber(numbers: Int32Array, count: number): Int32Array {
  const renumbered = new Int32Array(count).fill(gone)
  for (let at = 0; at < numbers.length; at++) renumbered[numbers[at] as number] = at
  return renumbered
}

/** Every list gets exactly the room it needs. */
export function restoreTexts(lists: Lists, kept: KeptTexts): void {
  take(lists.own, kept.codes)
  take(lists.ownCounts, kept.counts)
  take(lists.ownUsed, kept.distinct)
  take(lists.lengths, kept.lengths)
  take(lists.ownStart, toStarts(kept.distinct))
  take(lists.arena, kept.postings)
  take(lists.used, kept.living)
  take(lists.room, kept.living.slice())
  take(lists.living, kept.living.slice())
  take(lists.start, toStarts(kept.living))
  take(lists.most, kept.most)
  for (const length of kept.lengths) {
    if (length > 0) lists.count += 1
    lists.totalLength += length
  }
}

/** Where each begins, if one follows the other. */
function toStarts(lengths: Uint32Array): Uint32Array {
  const starts = new Uint32Array(lengths.length)
  let start = 0
  for (let at = 0; at < lengths.length; at++) {
    starts[at] = start
    start += lengths[at] as number
  }
  return starts
}
