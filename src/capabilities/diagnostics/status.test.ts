import { expect, test } from 'vitest'
import { toHealth } from '../../kernel/health/health.ts'
import { scoreOf } from './status.ts'

const scored = (score?: number) => toHealth([], {}, score)

test.each([
  ['no component reports one', {}, null],
  ['a component has none', { queue: scored(1), sessions: scored() }, 1],
  ['all are healthy', { queue: scored(1), embedding: scored(1), memory: scored(1) }, 1],
  ['the queue is stuck', { queue: scored(0), embedding: scored(1), memory: scored(1) }, 0.52],
  ['one check fails', { queue: scored(0.7), embedding: scored() }, 0.7],
  ['a component has no weight', { queue: scored(1), other: scored(0) }, 1],
])('score if %s: %j', (_, reported, score) => {
  expect(scoreOf(reported)).toBe(score)
})
