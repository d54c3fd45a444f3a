import { expect, test } from 'vitest'
import {
  cleanHarness,
  isTruncated,
  readContent,
  sessionTokenOf,
  type Turn,
  toContent,
} from './transcript.ts'

const turns: readonly Turn[] = [
  { role: 'user', text: 'User: said I' },
  { role: 'assistant', text: 'yes' },
  { role: 'unknown', text: 'a voice' },
]

test('writes a turn as one line and parses it back', () => {
  expect(readContent(toContent(turns))).toEqual(turns)
  expect(isTruncated(toContent(turns))).toBe(false)
  expect(readContent(toContent(turns, true))).toEqual(turns)
  expect(isTruncated(toContent(turns, true))).toBe(true)
})

test('cuts a turn of more than 1 MiB, and retains the other turns', () => {
  const long: Turn = { role: 'assistant', text: 'x'.repeat(5_000_000) }
  const content = toContent([...turns, long])
  const [, , , cut] = readContent(content)

  expect(readContent(content).slice(0, 3)).toEqual(turns)
  expect(cut?.text).toBe(`${'x'.repeat(1_048_576)} [truncated]`)
  expect(toContent(readContent(content))).toBe(content)
})

test('truncates a long transcript to its newest turns and marks it', () => {
  const long = Array.from({ length: 6 }, (_, index): Turn => {
    return { role: 'user', text: String(index).repeat(1_000_000) }
  })

  const content = toContent(long)

  expect(isTruncated(content)).toBe(true)
  expect(readContent(content).map(({ text }) => text[0])).toEqual(['2', '3', '4', '5'])
})

test('derives a session token of sixteen letters and digits', () => {
  const session = { agentId: 'ada', sessionKey: 's1', sessionId: null }

  // The first sixteen letters of SHA-256 of `ada:s1` in base32.
  expect(sessionTokenOf(session)).toBe('uct3htj72mzpkadh')
  expect(sessionTokenOf({ ...session, sessionId: 's1' })).toBe(sessionTokenOf(session))
  expect(sessionTokenOf({ ...session, agentId: 'bob' })).not.toBe(sessionTokenOf(session))
})

test.each([
  ['Claude-Code', 'claude-code'],
  ['my harness/v2', 'my-harness-v2'],
  ['..', '---'],
  ['../../etc', '..-..-etc'],
  ['.', '--'],
  [' ', '-'],
  ['a\0b', 'a-b'],
  ['x'.repeat(100), 'x'.repeat(64)],
])('%j is stored under %s', (written, name) => {
  expect(cleanHarness(written)).toBe(name)
})
