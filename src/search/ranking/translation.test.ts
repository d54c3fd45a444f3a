import { expect, test } from 'vitest'
import { createTermScorer } from './lexical.ts'
import { raiseForeign } from './translation.ts'

const own = (term: string) => ({ term, weight: 1, isForeign: false })
const foreign = (term: string) => ({ term, weight: 0.5, isForeign: true })
const texts = [['key', 'schlussel', 'door'], ['schlussel'], ['door']]
const statistics = {
  idfOf: () => 2,
  countTerms: (terms: readonly string[]) =>
    texts.flatMap((text) => terms.map((term) => (text.includes(term) ? 1 : 0))),
  createScore: () => (counts: ArrayLike<number>) => Array.from(counts).reduce((a, b) => a + b, 0),
  lengthOf: () => 3,
}

test('of terms with one meaning the best counts once', () => {
  const scorer = createTermScorer(statistics, [[own('key'), foreign('schlussel')], [own('door')]])

  expect(texts.map((_, slot) => scorer.score(slot))).toEqual([2, 0.5, 1])
  expect(texts.map((_, slot) => scorer.coverage(slot))).toEqual([1, 0.25, 0.5])
  expect(texts.map((_, slot) => scorer.foreignCoverage(slot))).toEqual([0, 0.25, 0])
})

test('a text in another language gets the similarity that its words have on average', () => {
  const none = [0, 0]
  const signals = { vector: [0.9, 0.1], passage: none, soft: none, softCoverage: none }
  const coverage = (slot: number) => [1, 0.6][slot] ?? 0
  const raised = raiseForeign(signals, {
    coverage,
    foreignCoverage: (slot) => [0.1, 0.5][slot] ?? 0,
  })

  expect(Array.from(raised.vector)).toEqual([0.9, expect.closeTo(0.41)])
  expect(Array.from(raised.soft)).toEqual([0, 0.6])
  expect(raiseForeign(signals, { coverage, foreignCoverage: () => 0 })).toBe(signals)
})
