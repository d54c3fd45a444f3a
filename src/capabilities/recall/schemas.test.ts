import { expect, test } from 'vitest'
import { recallBody, recallQuery } from './schemas.ts'

const start = '2026-01-02T00:00:00Z'

test.each([
  [{}, 'query is required'],
  [{ query: '  ' }, 'query is required'],
  [{ query: 7 }, 'query is required'],
  [{ query: 'x', limit: 1.5 }, 'limit must be an integer'],
  [{ query: 'x', since: 'soon' }, 'since must be a valid ISO timestamp'],
  [{ query: 'x', until: 'soon' }, 'until must be a valid ISO timestamp'],
  [{ query: 'x', aggregateBudget: 'huge' }, 'aggregateBudget must be small, medium or large'],
  [{ query: 'x', time: [] }, 'time must be an object'],
  [{ query: 'x', time: {} }, 'time.start is required'],
  [{ query: 'x', time: { start: 'soon' } }, 'time.start must be a valid ISO timestamp'],
  [{ query: 'x', time: { start, end: 'late' } }, 'time.end must be a valid ISO timestamp'],
  [{ query: 'x', time: { start, end: start } }, 'time.end must be after time.start'],
  [{ query: 'x', time: { start: 1_767_312_000_000 } }, 'time.start must be a valid ISO timestamp'],
  [
    { query: 'x', time: { start, end: 1_767_398_400_000 } },
    'time.end must be a valid ISO timestamp',
  ],
  [
    { query: 'x', time: { start, facets: ['weather'] } },
    'time.facets must be an array of known facets',
  ],
  [
    { query: 'x', time: { start, facets: 'session' } },
    'time.facets must be an array of known facets',
  ],
  [{ query: 'x', time: { start, mode: 'both' } }, 'time.mode must be `timeline` or `filter`'],
])('%j is invalid: %s', (body, message) => {
  expect(recallBody.safeParse(body).error?.issues.map((issue) => issue.message)).toEqual([message])
})

test('accepts both spellings of a field', () => {
  const camel = {
    query: 'x',
    keywordQuery: 'y',
    sessionKey: 's',
    includeRecalled: true,
    aggregateBudget: 'small',
    saveAggregate: true,
    asOf: start,
  }
  const snake = {
    query: 'x',
    keyword_query: 'y',
    session_key: 's',
    include_recalled: 'TRUE',
    aggregate_budget: 'small',
    save_aggregate: 1,
    as_of: start,
  }

  expect(recallBody.parse(snake)).toEqual(recallBody.parse(camel))
})

test.each([
  [undefined, 10],
  ['', 10],
  ['many', 10],
  ['7', 7],
  [0, 1],
  [-3, 1],
  [1e9, 100],
])('a limit of %j is %j', (limit, expected) => {
  expect(recallBody.parse({ query: 'x', limit }).limit).toBe(expected)
})

test.each([[[]], [null], [undefined]])('facets of %j are all of them', (facets) => {
  const { time } = recallBody.parse({ query: 'x', time: { start, facets } })

  expect(time).toMatchObject({ facets: undefined })
})

test('parses text values of a query string', () => {
  const query = { q: ' tabs ', tags: 'a, b,,a', pinned: '1', importance_min: '0.5', since: start }

  expect(recallQuery.parse(query)).toMatchObject({
    query: 'tabs',
    tags: ['a', 'b'],
    pinned: true,
    importanceMin: 0.5,
    since: '2026-01-02T00:00:00.000Z',
    scope: null,
    expand: false,
  })
})
