import { expect, test } from 'vitest'
import { isChosen } from './lasso.ts'

const corner = [
  { x: 0, y: 0 },
  { x: 10, y: 0 },
  { x: 10, y: 5 },
  { x: 5, y: 5 },
  { x: 5, y: 10 },
  { x: 0, y: 10 },
]

test.each([
  [{ x: 2, y: 2 }, true],
  [{ x: 8, y: 2 }, true],
  [{ x: 8, y: 8 }, false],
  [{ x: 11, y: 2 }, false],
])('the point %j inside a bent line: %s', (point, expected) => {
  expect(isChosen(point, corner)).toBe(expected)
})

test('a press without a line chooses what is near', () => {
  expect(isChosen({ x: 3, y: 4 }, [{ x: 0, y: 0 }])).toBe(true)
  expect(isChosen({ x: 30, y: 4 }, [{ x: 0, y: 0 }])).toBe(false)
})
