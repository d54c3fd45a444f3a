import { expect, test } from 'vitest'
import { cleanName, splitHidden } from './hidden-characters.ts'

const shown = (text: string) =>
  splitHidden(text)
    .map((part) => (part.isHidden ? `[${part.text}]` : part.text))
    .join('')

test.each([
  ['plain text', 'plain text'],
  ['line\nand\ttab', 'line\nand\ttab'],
  ['a\u202Eb', 'a[U+202E]b'],
  ['a\u200Bb\u2060c', 'a[U+200B]b[U+2060]c'],
  ['\u0000\u001B[31m', '[U+0000][U+001B][31m'],
  ['\uE000', '[U+E000]'],
  ['\u{E0041}', '[U+E0041]'],
  ['\uD800 alone', '[U+D800] alone'],
  ['\uFEFFstart', '[U+FEFF]start'],
  ['\u2028', '[U+2028]'],
  ['中文 and 😀', '中文 and 😀'],
])('shows %j as %s', (text, expected) => {
  expect(shown(text)).toBe(expected)
})

test('cuts a name by characters and removes line breaks and hidden characters', () => {
  expect(cleanName('one\ntwo\u202E three')).toBe('one two three')
  expect([...cleanName('😀'.repeat(200))]).toHaveLength(80)
})
