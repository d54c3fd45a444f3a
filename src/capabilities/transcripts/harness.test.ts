import { expect, test } from 'vitest'
import { cleanHarness } from './transcript.ts'

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
