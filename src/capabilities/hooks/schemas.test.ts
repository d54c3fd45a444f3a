import { expect, test } from 'vitest'
import { recallHookBody } from './schemas.ts'

const asked = (more: object) =>
  recallHookBody.parse({ harness: 'codex', query: 'barn', ...more }).request

test.each([
  [0, 1],
  [-1, 1],
  [50, 50],
  [51, 50],
  [100, 50],
  ['7', 7],
  ['many', 10],
  [undefined, 10],
])('a recall for %j is one for %d', (limit, most) => {
  expect(asked({ limit }).limit).toBe(most)
})

test.each<[object, boolean]>([
  [{}, false],
  [{ aggregate: true }, true],
  [{ aggregate: true, saveAggregate: false }, false],
  [{ aggregate: true, save_aggregate: '0' }, false],
  [{ aggregate: false, saveAggregate: true }, true],
])('of %j the sum is kept: %s', (more, isKept) => {
  expect(asked(more).saveAggregate).toBe(isKept)
})

test('both spellings of a field are read', () => {
  expect(
    asked({ keyword_query: 'red', include_recalled: true, aggregate_budget: 'large' }),
  ).toMatchObject({ keywordQuery: 'red', includeRecalled: true, aggregateBudget: 'large' })
  expect(asked({ keywordQuery: 'red', keyword_query: 'blue' }).keywordQuery).toBe('red')
})
