import { expect, test } from 'vitest'
import { findMemorySentence } from './memory-sentence.ts'

const about = {
  project: 'apollo',
  harness: 'codex',
  capturedAt: '2026-01-02T03:04:05.000Z',
  turns: 2,
}
const informative =
  'The retry loop in worker.ts now waits for the lease and gives the job back to others.'
const find = (...lines: readonly string[]) =>
  findMemorySentence(
    lines.map((text) => ({ role: 'assistant', text })),
    about,
  )

test('selects the latest informative sentence', () => {
  const older =
    'The old parser in read.ts was removed because no caller has used it since the spring.'

  expect(find(older, `Done. ${informative} Anything else?`, 'You are welcome.')).toEqual({
    text: informative,
    quality: 'ok',
  })
})

test.each([
  [11, 'fallback'],
  [12, 'ok'],
  [48, 'ok'],
  [49, 'fallback'],
])('a sentence of %d words is %s', (words, quality) => {
  expect(find(`${'word '.repeat(words - 1)}worker.ts!`).quality).toBe(quality)
  expect(find(`${'word '.repeat(words - 1)}worker.ts`).quality).toBe('fallback')
})

test.each([
  ['no turns', []],
  ['a filler sentence', [`Sure, ${informative}`]],
  ['a sentence that is too short', ['It was fixed in worker.ts.']],
  ['a sentence that is too long', [`${'word '.repeat(60)}in worker.ts.`]],
  [
    'a sentence without a name',
    ['it is all quite well now and there is nothing that would have to be done by us.'],
  ],
  ['a tool label', [informative.replace('waits', '[tool: Bash]')]],
])('generates a fallback sentence for %s', (_, lines) => {
  const { text, quality } = find(...lines)
  const words = text.split(' ').length

  expect(quality).toBe('fallback')
  expect(text).toContain('apollo')
  expect(words).toBeGreaterThanOrEqual(12)
  expect(words).toBeLessThanOrEqual(48)
})

test('limits the time spent on a very long turn', () => {
  expect(find('a.'.repeat(2_000_000)).quality).toBe('fallback')
  expect(find(`${'A '.repeat(2_000_000)}.`).quality).toBe('fallback')
})
