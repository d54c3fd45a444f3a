import { expect, test } from 'vitest'
import { recallConfig } from './config.ts'
import { boostOf, toScored } from './rank.ts'

const config = recallConfig.parse(undefined)
const now = new Date('2026-01-31T00:00:00Z')

test.each([
  ['the best row of the text counts in full', { text: 1, hint: 0 }, 1, 'keyword', 1],
  ['others in proportion', { text: 0.5, hint: 0 }, 1, 'keyword', 0.5],
  ['a hint alone is capped', { text: 0, hint: 1 }, 1, 'hint', 0.75],
  ['a hint that is stronger replaces the words', { text: 0.2, hint: 1 }, 1, 'hint', 0.75],
  ['a hint that is weaker does not', { text: 1, hint: 1 }, 1, 'keyword', 1],
  ['one word of forty is not an answer', { text: 1, hint: 0 }, 1 / 50, 'keyword', 0.08],
] as const)('%s', (_name, evidence, coverage, source, score) => {
  const scored = toScored(evidence, coverage)

  expect(scored.source).toBe(source)
  expect(scored.score).toBeCloseTo(score)
})

test('new and rehearsed rows gain, and both fade by half in their time', () => {
  const old = { createdAt: '2020-01-01T00:00:00Z', accessCount: 0, lastAccessed: null }
  const boost = (use: object) => boostOf({ ...old, ...use }, now, config)

  expect(boost({})).toBeCloseTo(1)
  expect(boost({ createdAt: now.toISOString() })).toBeCloseTo(1.15)
  expect(boost({ createdAt: '2026-01-17T00:00:00Z' })).toBeCloseTo(1.075)
  expect(boost({ accessCount: 9, lastAccessed: now.toISOString() })).toBeCloseTo(
    1 + 0.1 * Math.log(10),
  )
  expect(boost({ createdAt: '2030-01-01T00:00:00Z' })).toBeCloseTo(1.15)
})
