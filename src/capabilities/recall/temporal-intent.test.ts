import { expect, test } from 'vitest'
import { readTemporalIntent, type TemporalFacet, temporalFacets } from './temporal-intent.ts'

const day = (year: number, month: number, date: number) =>
  new Date(year, month - 1, date).toISOString()

test.each([
  ['what did I do on 2026-03-05?', 'timeline', ''],
  ['What happened with the deploy on 2026/3/5', 'filter', 'deploy'],
  ['tell me about March 5th, 2026', 'timeline', ''],
  ['What did we talk about on March 5, 2026', 'timeline', ''],
  ['please summarize 2026-03-05', 'timeline', ''],
  ['anything else we discussed on 2026-03-05?', 'timeline', ''],
  ['what did Ben say on 2026-03-05', 'filter', 'Ben'],
  ['release notes mar 5 2026', 'filter', 'release notes'],
])('%j queries a day in mode %s with content %j', (query, mode, contentQuery) => {
  expect(readTemporalIntent(query, undefined)).toEqual({
    mode,
    contentQuery,
    source: 'query',
    originalQuery: query,
    start: day(2026, 3, 5),
    end: day(2026, 3, 6),
    facets: temporalFacets,
  })
})

test.each([
  'no date',
  'version 2026-02-31',
  'call 2026-13-01',
  'March 40, 2026',
  'room 12-03-05',
  '0050-01-02',
])('%j names no day', (query) => {
  expect(readTemporalIntent(query, undefined)).toBeUndefined()
})

test('a requested time overrides the day in the query and defaults to one day', () => {
  const start = new Date('2026-05-01T10:00:00Z')
  const facets: readonly TemporalFacet[] = ['occurred']
  const time = { start, end: undefined, facets, mode: 'filter' } as const

  expect(readTemporalIntent('what was on 2026-03-05', time)).toMatchObject({
    mode: 'filter',
    source: 'request',
    contentQuery: '',
    facets: ['occurred'],
    start: '2026-05-01T10:00:00.000Z',
    end: '2026-05-02T10:00:00.000Z',
  })
})
