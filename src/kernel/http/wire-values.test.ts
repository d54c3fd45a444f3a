import { expect, test } from 'vitest'
import { z } from 'zod'
import '../errors/schema-messages.ts'
import {
  flag,
  ignored,
  integer,
  list,
  number,
  readDate,
  required,
  share,
  text,
  time,
} from './wire-values.ts'

const request = z.object({
  agentId: ignored,
  query: required('query'),
  who: text,
  tags: list,
  pinned: flag,
  score: number,
  confidence: share('confidence'),
  limit: integer('limit', { min: 1, max: 100, default: 10 }),
  since: time('since'),
})
const read = (fields: object) => request.parse({ query: 'q', ...fields })
const problem = (fields: object) =>
  request.safeParse({ query: 'q', ...fields }).error?.issues.map(({ message }) => message)

test.each([
  [{ query: ' a ' }, { query: 'a' }],
  [{ who: '  ' }, { who: undefined }],
  [{ who: 7 }, { who: undefined }],
  [{ tags: 'a, b,,a' }, { tags: ['a', 'b'] }],
  [{ tags: ['a,b', 'c'] }, { tags: ['a', 'b', 'c'] }],
  [{ pinned: '1' }, { pinned: true }],
  [{ pinned: 'FALSE' }, { pinned: false }],
  [{ pinned: 'maybe' }, { pinned: undefined }],
  [{ pinned: null }, { pinned: undefined }],
  [{ pinned: 1 }, { pinned: true }],
  [{ score: '0.5' }, { score: 0.5 }],
  [{ score: Number.NaN }, { score: undefined }],
  [{ confidence: '1' }, { confidence: 1 }],
  [{ confidence: 'high' }, { confidence: undefined }],
  [{}, { limit: 10 }],
  [{ limit: '' }, { limit: 10 }],
  [{ limit: 'many' }, { limit: 10 }],
  [{ limit: '0' }, { limit: 1 }],
  [{ limit: 9999 }, { limit: 100 }],
  [{ since: '2026-01-02' }, { since: '2026-01-02T00:00:00.000Z' }],
  [{ since: '' }, { since: undefined }],
])('%j is parsed as %j', (written, meant) => {
  expect(read(written)).toMatchObject(meant)
})

test.each([
  [{ query: ' ' }, 'query is required'],
  [{ limit: 1.5 }, 'limit must be an integer'],
  [{ confidence: 1.01 }, 'confidence must be from 0 to 1'],
  [{ confidence: '-0.1' }, 'confidence must be from 0 to 1'],
  [{ since: 'yesterday' }, 'since must be a valid ISO timestamp'],
])('%j is refused with the message of the contract', (written, message) => {
  expect(problem(written)).toEqual([message])
})

test.each([
  [[[[true]]]],
  [{ toString: 'x' }],
  [JSON.parse(`${'['.repeat(9999)}${']'.repeat(9999)}`)],
])('refuses a list or an object as a flag', (pinned) => {
  expect(problem({ pinned })).toEqual([expect.stringContaining('must be true or false')])
})

test('refuses more than 500 items in a list', () => {
  const tags = (length: number) => Array.from({ length }, (_, index) => `tag-${index}`)

  expect(problem({ tags: tags(500) })).toBeUndefined()
  expect(problem({ tags: tags(501).join(',') })).toEqual(['at most 500 may be listed'])
})

test('the JSON schema contains the types', () => {
  const { properties } = z.toJSONSchema(request, { io: 'input' })

  expect(properties).toMatchObject({ who: { type: 'string' }, limit: { type: 'integer' } })
})

test.each([[{}], [null], ['no date'], ['+010000-01-01'], ['0000-12-31'], [8.64e15]])(
  '%j is an invalid date',
  (written) => {
    expect(readDate(written)).toBeUndefined()
  },
)
