import { expect, test } from 'vitest'
import { combineEvidence } from './lexical-search.ts'

test.each([
  ['the best row of the text counts in full', { text: 1, hint: 0 }, 1, 'keyword', 1],
  ['others in proportion', { text: 0.5, hint: 0 }, 1, 'keyword', 0.5],
  ['a hint alone is capped', { text: 0, hint: 1 }, 1, 'hint', 0.75],
  ['a hint that is stronger replaces the words', { text: 0.2, hint: 1 }, 1, 'hint', 0.75],
  ['a hint that is weaker does not', { text: 1, hint: 1 }, 1, 'keyword', 1],
  ['one word of forty is not an answer', { text: 1, hint: 0 }, 1 / 50, 'keyword', 0.08],
] as const)('%s', (_name, evidence, coverage, source, score) => {
  const scored = combineEvidence(evidence, coverage)

  expect(scored.source).toBe(source)
  expect(scored.score).toBeCloseTo(score)
})
