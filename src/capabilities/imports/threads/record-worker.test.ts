import { expect, test } from 'vitest'
import { lineOf } from '../../../../test/support/import-line.ts'
import { sha256 } from '../imports.fixture.ts'
import { readRecords } from './record-worker.ts'

async function codeOf(line: string | Buffer) {
  const [record] = await readRecords([Buffer.from(line)])
  return record?.code
}

const messages = (count: number, length = 1) =>
  Array.from({ length: count }, () => ({ role: 'user', content: 'x'.repeat(length) }))

test.each([
  ['a valid line', lineOf('a'), undefined],
  ['50,000 messages', lineOf('a', { messages: messages(50_000) }), undefined],
  ['50,001 messages', lineOf('a', { messages: messages(50_001) }), 'schema_invalid'],
  ['a message of 4 MiB', lineOf('a', { messages: messages(1, 4_194_304) }), undefined],
  ['a longer message', lineOf('a', { messages: messages(1, 4_194_305) }), 'schema_invalid'],
  [
    'messages above 8 MiB',
    lineOf('a', { messages: messages(3, 3_000_000) }),
    'canonical_batch_too_large',
  ],
  ['no message', lineOf('a', { messages: [] }), 'schema_invalid'],
  ['messages that are no list', lineOf('a', { messages: {}, message_count: 0 }), 'schema_invalid'],
  ['another source', lineOf('a', { source: 'other' }), 'schema_invalid'],
  ['an empty harness', lineOf('a', { harness: '' }), 'schema_invalid'],
  ['NUL in the key', lineOf('a', { session_key: 'a\0b' }), 'schema_invalid'],
  ['a lone surrogate in the key', lineOf('a', { session_key: '\ud800' }), 'schema_invalid'],
  ['a project that is a number', lineOf('a', { project: 7 }), 'schema_invalid'],
  ['the year 12000', lineOf('a', { timestamp: '+012000-01-01T00:00:00Z' }), 'schema_invalid'],
  ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'malformed'],
  ['deep nesting', '['.repeat(200_000), 'malformed'],
  ['a text', '"a"', 'schema_invalid'],
])('%s is read with code %s', async (_name, line, code) => {
  expect(await codeOf(line)).toBe(code)
})

test('identity and fingerprint follow the fields of the line', async () => {
  const [record] = await readRecords([
    Buffer.from(lineOf('é', { messages: [{ role: 'user', content: 'ab' }] })),
  ])
  const identity = sha256('7:default|7:chatgpt|2:é')
  const time = '2025-03-04T05:06:07.000Z'
  const fingerprint = sha256(`7:default|7:chatgpt|2:é|0:|24:${time}|4:user|2:ab`)

  expect(record?.conversation).toMatchObject({
    externalIdentity: identity,
    fingerprint,
    canonicalId: `import:${sha256(`64:${identity}|64:${fingerprint}`)}`,
  })
})

test('only a long conversation has its messages as lines, of which session search keeps the newest', async () => {
  const read = async (count: number) => {
    const line = lineOf('a', { messages: messages(count, 1000) })
    const [record] = await readRecords([Buffer.from(line)])
    return record?.conversation
  }

  expect((await read(10))?.lines).toBeUndefined()
  const long = await read(1100)
  expect(`[${long?.lines?.split('\n').join(',')}]`).toBe(long?.messages)
})
