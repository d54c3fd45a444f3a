import { expect, test } from 'vitest'
import { toHealth } from '../../kernel/health/health.ts'
import { scoreOf } from './status-schemas.ts'

const scored = (score?: number) => toHealth([], {}, score)

test.each([
  ['nobody has told one', {}, null],
  ['a part has none', { queue: scored(1), sessions: scored() }, 1],
  ['all are well', { queue: scored(1), embedding: scored(1), memory: scored(1) }, 1],
  ['the queue is stuck', { queue: scored(0), embedding: scored(1), memory: scored(1) }, 0.52],
  ['one cannot be asked', { queue: scored(0.7), embedding: scored() }, 0.7],
  ['a part has no weight', { queue: scored(1), other: scored(0) }, 1],
])('the score where %s is %j', (_, reported, score) => {
  expect(scoreOf(reported)).toBe(score)
})
