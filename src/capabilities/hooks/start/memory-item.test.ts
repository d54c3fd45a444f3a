import { expect, test } from 'vitest'
import { cutAtWord } from '../render.ts'

test('a text is cut between words, and where it has none in the middle of one', () => {
  expect(cutAtWord('The ladder leans on the barn.', 20)).toBe('The ladder leans…')
  expect(cutAtWord('The ladder leans on the barn.', 12)).toBe('The ladder…')
  expect(cutAtWord('x'.repeat(600), 500)).toBe(`${'x'.repeat(499)}…`)
  expect(cutAtWord(`${'x'.repeat(498)}🌿🌿`, 500)).toBe(`${'x'.repeat(498)}\ufffd…`)
})
