import { createPostings, type Postings } from './postings.ts'
import type { SerializedPostings } from './serialized-postings.ts'

/** A reference implementation of `Postings`: a list of terms by slot. */
export interface PlainPostings {
  /** Terms by slot; empty without a text. */
  texts(): readonly (readonly string[])[]
  add(terms: readonly string[]): void
  remove(slot: number): void
  /** A restart: live slots, renumbered from 0. */
  renumber(): void
  count(): number
  /** BM25 of each slot. */
  scores(query: readonly string[]): number[]
}

export function createPlainPostings(): PlainPostings {
  let texts: (readonly string[])[] = []
  const living = () => texts.filter(({ length }) => length > 0)
  return {
    texts: () => texts,
    add: (terms) => texts.push(terms),
    remove: (slot) => {
      if (slot < texts.length) texts[slot] = []
    },
    renumber: () => {
      texts = living()
    },
    count: () => living().length,
    scores: (query) => scoreAll(texts, living(), query),
  }
}

/** The weight of a single-character term. */
const characters: readonly string[] = ['猫', '犬']
const characterWeight = 0.3

function scoreAll(
  texts: readonly (readonly string[])[],
  living: readonly (readonly string[])[],
  query: readonly string[],
): number[] {
  const average = living.reduce((sum, { length }) => sum + length, 0) / living.length
  const scores = texts.map(() => 0)
  for (const term of new Set(query)) {
    const documentFrequency = living.filter((text) => text.includes(term)).length
    const weight = characters.includes(term) ? characterWeight : 1
    const idf =
      weight * Math.log(1 + (living.length - documentFrequency + 0.5) / (documentFrequency + 0.5))
    for (const [slot, text] of texts.entries()) {
      const count = text.filter((one) => one === term).length
      const norm = 0.9 * (0.6 + 0.4 * (text.length / average))
      if (count > 0) scores[slot] = (scores[slot] ?? 0) + (idf * count * 1.9) / (count + norm)
    }
  }
  return scores
}

/** The serialized form of the live texts. */
export function restartPostings(postings: Postings, plain: PlainPostings): Postings {
  const slots = [...plain.texts().entries()].flatMap(([slot, { length }]) => (length ? [slot] : []))
  const dumped = postings.dump(Int32Array.from(slots))
  const terms = dumped.terms()
  const serialized: SerializedPostings = {
    lengths: dumped.lengths,
    distinct: dumped.distinct,
    documentFrequency: dumped.documentFrequency,
    codes: Uint32Array.from(flatten(dumped.codes)),
    counts: Uint8Array.from(flatten(dumped.counts)),
    postings: Uint32Array.from(flatten(dumped.postings)),
    // Complete after the postings.
    maxTermFrequency: dumped.maxTermFrequency,
    terms: { ends: terms.ends, bytes: Uint8Array.from(flatten(terms.bytes)) },
  }
  dumped.release()
  return createPostings(serialized)
}

function flatten(pieces: Iterable<Iterable<number>>): number[] {
  return Array.from(pieces, (token) => [...token]).flat()
}
