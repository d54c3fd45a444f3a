import { expect, test } from 'vitest'
import { blackBoxesQuery, expandBody, searchBody, summariesQuery } from './search-schemas.ts'

test.each([
  [searchBody, { query: 'x' }, { least: 1, most: 20, usual: 10 }],
  [summariesQuery, {}, { least: 0, most: 200, usual: 50 }],
  [blackBoxesQuery, {}, { least: 1, most: 100, usual: 50 }],
] as const)('clamps a limit', (schema, asked, { least, most, usual }) => {
  const read = (limit?: string) => schema.parse({ ...asked, limit }).limit

  expect([read('-1'), read('0'), read('1')]).toEqual([least, least, 1])
  expect([read(`${most}`), read(`${most + 1}`)]).toEqual([most, most])
  expect([read(), read(''), read('many')]).toEqual([usual, usual, usual])
})

test('so is the length of a transcript, which comes along unless it is unwanted', () => {
  const read = (transcriptCharLimit?: unknown) =>
    expandBody.parse({ id: 'n1', transcriptCharLimit }).transcriptCharLimit

  expect([read(199), read(200), read(12_000), read(12_001)]).toEqual([200, 200, 12_000, 12_000])
  expect([read(), read('long')]).toEqual([2_000, 2_000])
  expect(expandBody.parse({ id: 'n1' }).includeTranscript).toBe(true)
  expect(expandBody.parse({ id: 'n1', includeTranscript: 'false' }).includeTranscript).toBe(false)
})

test('accepts both spellings of a key, with and without prefix', () => {
  const keys = { sessionKey: 'a', currentSessionKey: 'b' }

  expect(
    searchBody.parse({ query: 'x', session_key: 'session:a', current_session_key: ' b ' }),
  ).toMatchObject(keys)
  expect(searchBody.parse({ query: 'x', ...keys, session_key: 'c' })).toMatchObject(keys)
  expect(summariesQuery.parse({ session_key: 'session:a' })).toMatchObject({ sessionKey: 'a' })
})
