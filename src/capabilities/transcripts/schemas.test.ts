import { expect, test } from 'vitest'
import { blackBoxesQuery } from './replay-schemas.ts'
import { checkpointsQuery, expandBody, searchBody, summariesQuery } from './schemas.ts'

const search = { read: (limit: unknown) => searchBody.parse({ query: 'a', limit }).limit }
const boxes = { read: (limit: unknown) => blackBoxesQuery.parse({ limit }).limit }
const summaries = { read: (limit: unknown) => summariesQuery.parse({ limit }).limit }
const checkpoints = {
  read: (limit: unknown) => checkpointsQuery.parse({ project: 'p', limit }).limit,
}
const expanded = {
  read: (limit: unknown) =>
    expandBody.parse({ id: 'a', transcriptCharLimit: limit }).transcriptCharLimit,
}

test.each([
  { of: 'a search', ...search, min: 1, max: 20, byDefault: 10 },
  { of: 'checkpoints', ...checkpoints, min: 1, max: 100, byDefault: 10 },
  { of: 'black boxes', ...boxes, min: 1, max: 100, byDefault: 50 },
  { of: 'summaries', ...summaries, min: 0, max: 200, byDefault: 50 },
  { of: 'an expanded transcript', ...expanded, min: 200, max: 12_000, byDefault: 2_000 },
])('$of has $min to $max characters or items, by default $byDefault', (limits) => {
  const { read, min, max, byDefault } = limits
  for (const input of [undefined, null, '', 'all', {}, [5]]) expect(read(input)).toBe(byDefault)
  for (const input of [min - 1, -5, String(min)]) expect(read(input)).toBe(min)
  for (const input of [max + 1, String(max + 1), '99999', max]) expect(read(input)).toBe(max)
  expect(() => read(min + 0.5)).toThrow('must be an integer')
})

test('a search accepts both spellings of a key, with and without prefix', () => {
  const keys = { sessionKey: 'a', currentSessionKey: 'b' }

  for (const input of [
    { sessionKey: 'a', currentSessionKey: 'b' },
    { session_key: 'session:a', current_session_key: ' session:b ' },
    { ...keys, session_key: 'x', current_session_key: 'y' },
  ])
    expect(searchBody.parse({ query: ' q ', ...input })).toMatchObject({ query: 'q', ...keys })
  expect(summariesQuery.parse({ session_key: 'session:a' })).toMatchObject({ sessionKey: 'a' })
})

test('a transcript is included unless the caller declines it', () => {
  expect(expandBody.parse({ id: 'n1' }).includeTranscript).toBe(true)
  expect(expandBody.parse({ id: 'n1', includeTranscript: 'false' }).includeTranscript).toBe(false)
})
