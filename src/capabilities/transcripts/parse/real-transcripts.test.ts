import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { toContent } from '../transcript.ts'
import { parseTranscript } from './parse-transcript.ts'

const long = 'The hens in barn.ts were moved to the new coop because the old gate was broken.'
const short = 'Short: yes.'

/** Output of one release of each harness, with long texts shortened. */
test.each([
  [
    'claude-code.jsonl',
    'claude-code',
    [
      'User: Where are the hens?',
      `Assistant: ${long}`,
      'User: And is the gate shut?',
      `Assistant: ${short}`,
      'User: Whose hens?',
      `Assistant: ${long}`,
    ],
  ],
  [
    'codex.jsonl',
    'codex',
    [
      'User: Where are the hens?',
      `Assistant: ${short}`,
      'User: And is the gate shut?',
      `Assistant: ${long}`,
    ],
  ],
  [
    'gemini.jsonl',
    'gemini',
    [
      'User: Where are the hens?',
      `Assistant: ${short}`,
      'User: And is the gate shut?',
      `Assistant: ${short}`,
    ],
  ],
  [
    'opencode.json',
    'opencode',
    [
      'User: "Where are the hens?"',
      `Assistant: ${long}`,
      'User: "And is the gate shut?"',
      `Assistant: ${short}`,
    ],
  ],
])('%s contains the turns and no harness text', async (file, harness, lines) => {
  const raw = await readFile(new URL(`fixtures/${file}`, import.meta.url), 'utf8')

  const { turns, format } = parseTranscript(raw, { harness })

  expect(toContent(turns).split('\n')).toEqual(lines)
  expect(format).toBe('jsonl')
})
