import { expect, test } from 'vitest'
import { scoreSession } from './score.ts'

const rust = 'The weathervane rusts every October'
const varnish = 'Linseed varnish keeps boards supple'

test.each([
  ['nothing injected and no novel name', [], 'hello there', 0, 0],
  ['an injected memory is used', [rust], 'why does the weathervane rusts', 0.7, 1],
  ['one distinctive word of many is a coincidence', [rust], 'october', 0, 0],
  ['half of the memories are used', [rust, varnish], 'the weathervane in October', 0.35, 1],
  ['shared words are not distinctive', [rust, rust], 'weathervane october rusts', 0, 0],
])('%s', (_, injected, transcript, score, used) => {
  expect(scoreSession({ injected, transcript })).toMatchObject({
    score,
    memoriesUsed: used,
  })
})

test('names outside the injected memories lower the score', () => {
  const transcript = 'the weathervane rusts, says Jonas, and Jonas knows'

  expect(scoreSession({ injected: [rust], transcript })).toEqual({
    score: 0.67,
    memoriesRecalled: 1,
    memoriesUsed: 1,
    novelContextCount: 1,
    reasoning: '1 of 1 memories came up again; 1 names were new.',
  })
})
