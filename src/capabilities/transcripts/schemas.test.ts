import { expect, test } from 'vitest'
import { checkpointsQuery } from './schemas.ts'
import { blackBoxesQuery, expandBody, searchBody, summariesQuery } from './search-schemas.ts'

const search = { read: (limit: unknown) => searchBody.parse({ query: 'a', limit }).limit }
const boxes = { read: (limit: unknown) => blackBoxesQuery.parse({ limit }).limit }
const summaries = { read: (limit: unknown) => summariesQuery.parse({ limit }).limit }
const checkpoints = {
  read: (limit: unknown) => checkpointsQuery.parse({ project: 'p', limit }).limit,
}
const expanded = {
  read: (most: unknown) =>
    expandBody.parse({ id: 'a', transcriptCharLimit: most }).transcriptCharLimit,
}

test.each([
  { of: 'a search', ...search, least: 1, most: 20, otherwise: 10 },
  { of: 'checkpoints', ...checkpoints, least: 1, most: 100, otherwise: 10 },
  { of: 'black boxes', ...boxes, least: 1, most: 100, otherwise: 50 },
  { of: 'summaries', ...summaries, least: 0, most: 200, otherwise: 50 },
  { of: 'an expanded transcript', ...expanded, least: 200, most: 12_000, otherwise: 2_000 },
])('$of has from $least to $most, $otherwise unless said', ({ read, least, most, otherwise }) => {
  for (const written of [undefined, null, '', 'all', {}, [5]]) expect(read(written)).toBe(otherwise)
  for (const written of [least - 1, -5, String(least)]) expect(read(written)).toBe(least)
  for (const written of [most + 1, '99999', most]) expect(read(written)).toBe(most)
  expect(() => read(least + 0.5)).toThrow('must be an integer')
})

test('a search is asked for in either spelling, and by keys with or without a prefix', () => {
  const asked = { sessionKey: 'a', currentSessionKey: 'b' }

  for (const said of [
    { sessionKey: 'a', currentSessionKey: 'b' },
    { session_key: 'session:a', current_session_key: ' session:b ' },
    { ...asked, session_key: 'x', current_session_key: 'y' },
  ])
    expect(searchBody.parse({ query: ' q ', ...said })).toMatchObject({ query: 'q', ...asked })
})
