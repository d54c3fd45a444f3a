import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createPlainPostings,
  type PlainPostings,
  restartPostings,
} from './plain-postings.fixture.ts'
import { createPostings, type Postings } from './postings.ts'

const term: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', 'e', '猫')
const text = fc.array(term, { maxLength: 12, size: 'max' })
const change = fc.oneof(
  { weight: 12, arbitrary: fc.record({ add: text }) },
  { weight: 4, arbitrary: fc.record({ remove: fc.nat(60) }) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
)
type Change = typeof change extends fc.Arbitrary<infer Made> ? Made : never

/** A pseudo-random mask with this percentage of readable slots. */
const share = fc.integer({ min: 1, max: 100 })
const toMask = (texts: readonly (readonly string[])[], share: number) =>
  Uint8Array.from(texts, ({ length }, slot) =>
    length > 0 && ((slot + share) * 7919) % 100 < share ? 1 : 0,
  )

test('scores equal BM25 over live texts after random changes', () => {
  const changes = fc.array(change, { maxLength: 80, size: 'max' })
  const queryInput = fc.record({ query: text, share, count: fc.integer({ min: 1, max: 9 }) })
  let found = 0
  fc.assert(
    fc.property(changes, queryInput, (changes, { query, ...wanted }) => {
      const { postings, plain } = live(changes)
      const texts = plain.texts()
      const scores = plain.scores(query)

      const queryTerms = [...new Set(query)]
      const counts = postings.countTerms(queryTerms, [...texts.keys()])
      const scoreOne = postings.createScore(queryTerms)
      expect(postings.count()).toBe(plain.count())
      for (const [slot, held] of texts.entries()) {
        const counted = counts.subarray(slot * queryTerms.length, (slot + 1) * queryTerms.length)
        expect(postings.lengthOf(slot)).toBe(held.length)
        expect(new Map(postings.termsOf(slot))).toEqual(countOf(held))
        if (held.length > 0)
          expect(scoreOne(counted, held.length)).toBeCloseTo(scores[slot] ?? 0, 4)
      }
      found += expectBest({ postings, plain }, query, wanted)
    }),
  )
  expect(found).toBeGreaterThan(100)
})

/** Zipf-like: few terms are in most texts. */
const spoken = fc
  .noBias(fc.nat(9999))
  .map((chance) => Math.floor(150 * (chance / 10_000) ** 3))
  .map((rank) => (rank === 9 ? '猫' : `word${rank}`))
const said = fc.array(spoken, { maxLength: 20, size: 'max' })
const question = fc.record({
  query: fc.array(spoken, { minLength: 1, maxLength: 8, size: 'max' }),
  share,
  count: fc.integer({ min: 1, max: 30 }),
})

test.each([1, 2, 3, 4, 5, 6])(
  'among many texts the best are found, though lists of common words are not read (%d)',
  (seed) => {
    const texts = fc.sample(said, { numRuns: 2000, seed })
    const gone = fc.sample(fc.nat(1999), { numRuns: 300, seed })
    const both = live([
      ...texts.map((add) => ({ add })),
      ...gone.map((remove) => ({ remove })),
      ...(seed % 2 === 0 ? (['restart'] as const) : []),
    ])

    for (const { query, ...wanted } of fc.sample(question, { numRuns: 30, seed }))
      expectBest(both, query, wanted)
  },
)

test('a term frequency above the maximum is saturated', () => {
  const postings = createPostings()
  postings.add(0, Array(1000).fill('often'))
  postings.add(1, ['seldom'])

  const wanted = { mask: Uint8Array.of(1, 1), count: 5 }
  expect(postings.topK(['often'], wanted)).toEqual([0])
  expect(postings.topK(['often', 'never'], wanted)).toEqual([0])
})

interface Both {
  readonly postings: Postings
  readonly plain: PlainPostings
}

function live(changes: readonly Change[]): Both {
  const plain = createPlainPostings()
  let postings = createPostings()
  for (const one of changes)
    if (one === 'restart') {
      postings = restartPostings(postings, plain)
      plain.renumber()
    } else if ('add' in one) {
      postings.add(plain.texts().length, one.add)
      plain.add(one.add)
    } else {
      postings.remove(one.remove)
      plain.remove(one.remove)
    }
  return { postings, plain }
}

/** Ties are interchangeable. Returns the number of hits. */
function expectBest(
  { postings, plain }: Both,
  query: readonly string[],
  { share, count }: { readonly share: number; readonly count: number },
): number {
  const mask = toMask(plain.texts(), share)
  const scores = plain.scores(query).map((score, slot) => (mask[slot] === 1 ? score : 0))
  const best = scores.filter((score) => score > 0).toSorted((a, b) => b - a)

  const found = postings.topK(query, { mask, count })

  expect(new Set(found).size).toBe(found.length)
  expect(found.length).toBe(Math.min(count, best.length))
  const differences = found.map((slot, at) => Math.abs((scores[slot] ?? 0) - (best[at] ?? 0)))
  expect(Math.max(0, ...differences)).toBeLessThan(1e-4)
  return found.length
}

function countOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}
