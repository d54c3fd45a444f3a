import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { readTranscript } from './transcript.ts'

const fixtures = new URL('../../capabilities/transcripts/parse/fixtures/', import.meta.url)
const read = async (text: string, harness: string) => {
  const file = join(await temporaryFolder(), 'session.jsonl')
  await writeFile(file, text)
  return readTranscript(file, harness)
}
const toText = (...records: readonly object[]) =>
  `${records.map((record) => JSON.stringify(record)).join('\n')}\n`
const toTurn = (content: unknown, more: object = {}) => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
})

test.each([
  ['claude-code.jsonl', 'claude-code', 8],
  ['codex.jsonl', 'codex', 9],
])('sends only the message lines of %s', async (name, harness, count) => {
  const file = fileURLToPath(new URL(name, fixtures))

  const lines = (await readTranscript(file, harness))?.split('\n') ?? []

  expect(lines).toHaveLength(count)
  expect(lines.join('\n')).toContain('And is the gate shut?')
  expect(lines.join('\n')).not.toMatch(/api-request|world_state|isMeta":true|"developer"/)
  const allLines = (await readFile(file, 'utf8')).split('\n')
  expect(allLines).toEqual(expect.arrayContaining(lines))
})

test('skips tool results, sub-agents and summaries', async () => {
  const result = toTurn([{ type: 'tool_result', content: 'x' }])
  const others = [
    toTurn('a', { isSidechain: true }),
    toTurn('b', { isCompactSummary: true }),
    result,
  ]

  expect(await read(toText(...others, toTurn('c')), 'claude-code')).toBe(
    JSON.stringify(toTurn('c')),
  )
})

test('other records do not count towards the size limit', async () => {
  const request = { type: 'api-request', params: 'x'.repeat(700_000) }
  const text = toText(toTurn('first'), request, request, request, request, toTurn('last'))

  const sent = await read(text, 'claude-code')

  expect(sent).toBe(
    [toTurn('first'), toTurn('last')].map((turn) => JSON.stringify(turn)).join('\n'),
  )
})

test('sends the newest complete lines of a long file after a mark', async () => {
  const lines = Array.from({ length: 40_000 }, (_, number) => `User: ${number} ${'ä'.repeat(40)}`)
  const text = `${lines.join('\n')}\n`

  const [mark, ...sent] = (await read(text, 'some'))?.split('\n') ?? []

  expect(mark).toBe('[truncated]')
  expect(sent).toEqual([...lines, ''].slice(-sent.length))
  const size = Buffer.byteLength(sent.join('\n'))
  expect(size).toBeLessThanOrEqual(2 * 1_048_576)
  expect(size).toBeGreaterThan(2 * 1_048_576 - 200)
  expect(await read('User: a\nAssistant: b\n', 'some')).toBe('User: a\nAssistant: b\n')
})
