import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRotation } from './rotation.ts'

const pairs = fc.constantFrom(16, 48, 128, 384).chain((size) => {
  const vector = fc.float32Array({
    minLength: size,
    maxLength: size,
    min: -1,
    max: 1,
    noNaN: true,
  })
  return fc.tuple(vector, vector)
})

test('rotation preserves lengths and products', () => {
  fc.assert(
    fc.property(pairs, ([one, other]) => {
      const turn = createRotation(one.length)
      const turned = Float32Array.from(turn(one))

      expect(multiply(turned, turned)).toBeCloseTo(multiply(one, one), 3)
      expect(multiply(turned, turn(other))).toBeCloseTo(multiply(one, other), 3)
    }),
  )
})

test.each([16, 48, 256, 384])('rotation spreads one of %d dimensions over all', (size) => {
  const turn = createRotation(size)
  for (let at = 0; at < size; at++) {
    const turned = turn(Float32Array.from({ length: size }, (_, other) => (at === other ? 1 : 0)))
    const held = turned.filter((value) => Math.abs(value) > 0.1 / Math.sqrt(size))
    expect(held.length).toBeGreaterThan(size / 2)
  }
})

test('a shorter vector is padded with zeros', () => {
  const turn = createRotation(32)
  const longer = Float32Array.from(turn(new Float32Array(32).fill(1, 0, 20)))

  expect(turn(new Float32Array(20).fill(1))).toEqual(longer)
})

function multiply(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
}
