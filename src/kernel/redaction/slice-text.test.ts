import { expect, test } from 'vitest'
import { sliceText } from './slice-text.ts'

test.each([
  [0, 1, 'a'],
  [0, 2, 'a'],
  [0, 3, 'a🙂'],
  [2, 4, 'b'],
  [1, 4, '🙂b'],
  [2, 2, ''],
  [0, 9, 'a🙂b'],
])('from %i to %i no half of a character remains', (start, end, expected) => {
  expect(sliceText('a🙂b', start, end)).toBe(expected)
})

test('a lone surrogate inside the text is replaced', () => {
  expect(sliceText('a\ud83db', 0, 3)).toBe('a\ufffdb')
})
