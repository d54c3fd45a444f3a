import { expect, test } from 'vitest'
import { recallHookBody } from './schemas.ts'

const parseRequest = (more: object) =>
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
])('the limit %j becomes %d', (limit, expected) => {
  expect(parseRequest({ limit }).limit).toBe(expected)
})

test.each<[object, boolean]>([
  [{}, false],
  [{ aggregate: true }, true],
  [{ aggregate: true, saveAggregate: false }, false],
  [{ aggregate: true, save_aggregate: '0' }, false],
  [{ aggregate: false, saveAggregate: true }, true],
])('%j saves the aggregate: %s', (more, isSaved) => {
  expect(parseRequest(more).saveAggregate).toBe(isSaved)
})

test('accepts both spellings of a field', () => {
  expect(
    parseRequest({ keyword_query: 'red', include_recalled: true, aggregate_budget: 'large' }),
  ).toMatchObject({ keywordQuery: 'red', includeRecalled: true, aggregateBudget: 'large' })
  expect(parseRequest({ keywordQuery: 'red', keyword_query: 'blue' }).keywordQuery).toBe('red')
})
