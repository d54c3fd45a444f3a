import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPostings } from './postings.ts'

const term = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const text = fc.array(term, { maxLength: 12 })
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ add: text }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(60) }) },
)

test('scores are those of BM25 over the texts that are there, after any changes', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), text, fc.nat(8), (changes, query, more) => {
      const count = more + 1
      const postings = createPostings()
      const texts: string[][] = []
      for (const one of changes) applyToBoth(postings, texts, one)

      const mask = Uint8Array.from(texts, ({ length }) => (length > 0 ? 1 : 0))
      const best = postings.findBest(query, { mask, count })

      const asked = [...new Set(query)]
      const counts = postings.countTerms(asked, [...texts.keys()])
      const countsOf = (slot: number) =>
        counts.subarray(slot * asked.length, (slot + 1) * asked.length)
      const scoreOne = postings.createScore(asked)
      expect(postings.count()).toBe(texts.filter(({ length }) => length > 0).length)
      for (const [slot, held] of texts.entries()) {
        expect(postings.lengthOf(slot)).toBe(held.length)
        expect(new Map(postings.termsOf(slot))).toEqual(countOf(held))
        if (held.length === 0) continue
        expect(scoreOne(countsOf(slot), held.length)).toBeCloseTo(bm25(texts, held, query), 4)
      }
      const scores = texts.map((held) => (held.length > 0 ? bm25(texts, held, query) : 0))
      const ranked = scores.filter((score) => score > 0).toSorted((a, b) => b - a)
      const found = best.map((slot) => scores[slot] ?? 0)
      expect(found.length).toBe(Math.min(count, ranked.length))
      for (const [place, score] of found.entries()) expect(score).toBeCloseTo(ranked[place] ?? 0, 4)
    }),
  )
})

test('the best are found among many texts, though the lists of common terms are not read', () => {
  const postings = createPostings()
  const texts = Array.from({ length: 400 }, (_, slot) => [
    'common',
    ...(slot % 2 === 0 ? ['usual'] : []),
    ...(slot % 40 === 3 ? ['rare', 'rare'] : []),
    ...(slot % 90 === 3 ? ['rarest'] : []),
    ...Array<string>(slot % 7).fill('other'),
  ])
  for (const [slot, text] of texts.entries()) postings.add(slot, text)
  const mask = Uint8Array.from(texts, (_, slot) => (slot % 3 === 0 ? 1 : 0))
  const query = ['common', 'rarest', 'usual', 'rare']

  const best = postings.findBest(query, { mask, count: 4 })

  const scores = texts.map((held, slot) => (mask[slot] === 1 ? bm25(texts, held, query) : 0))
  const sorted = [...texts.keys()].toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || b - a)
  expect(best).toEqual(sorted.slice(0, 4))
  expect(postings.findBest(['common'], { mask, count: 2 })).toHaveLength(2)
})

test('a term more often in a text than can be counted is there all the same', () => {
  const postings = createPostings()
  postings.add(0, Array(1000).fill('often'))
  postings.add(1, ['seldom'])

  const wanted = { mask: Uint8Array.of(1, 1), count: 5 }
  expect(postings.findBest(['often'], wanted)).toEqual([0])
  expect(postings.findBest(['often', 'never'], wanted)).toEqual([0])
})

function applyToBoth(
  postings: ReturnType<typeof createPostings>,
  texts: string[][],
  change: { readonly add: string[] } | { readonly remove: number },
): void {
  if ('add' in change) {
    postings.add(texts.length, change.add)
    texts.push(change.add)
    return
  }
  postings.remove(change.remove)
  if (texts[change.remove]) texts[change.remove] = []
}

function bm25(texts: readonly string[][], held: readonly string[], query: readonly string[]) {
  const there = texts.filter(({ length }) => length > 0)
  const average = there.reduce((sum, { length }) => sum + length, 0) / there.length
  let sum = 0
  for (const term of new Set(query)) {
    const holding = there.filter((other) => other.includes(term)).length
    const rarity = Math.log(1 + (there.length - holding + 0.5) / (holding + 0.5))
    const count = countOf(held).get(term) ?? 0
    const norm = 0.9 * (0.6 + 0.4 * (held.length / average))
    sum += (rarity * count * 1.9) / (count + norm)
  }
  return sum
}

function countOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
