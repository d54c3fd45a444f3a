import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createKey } from './key.ts'
import { openValue, sealValue } from './seal.ts'

const key = createKey()
const context = { info: 'svc:test:one', data: ['zone', 'NAME', '2026-01-01'] }

test('any value opens again under its context', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      expect(openValue(key, context, sealValue(key, context, value))).toBe(value)
    }),
  )
})

test.each([
  ['another key', createKey(), context],
  ['another name', key, { ...context, info: 'svc:test:two' }],
  ['another time', key, { ...context, data: ['zone', 'NAME', '2026-01-02'] }],
  ['moved separators', key, { ...context, data: ['zone', 'NAME,2026-01-01'] }],
])('a value does not open with %s', (_, otherKey, otherContext) => {
  expect(openValue(otherKey, otherContext, sealValue(key, context, 'value'))).toBeUndefined()
})

test('a value with any changed byte does not open', () => {
  const sealed = Buffer.from(sealValue(key, context, 'value'), 'base64')
  for (const index of sealed.keys()) {
    const changed = Buffer.from(sealed)
    changed[index] = (changed[index] ?? 0) ^ 1
    expect(openValue(key, context, changed.toString('base64')), String(index)).toBeUndefined()
  }
  expect(openValue(key, context, 'short')).toBeUndefined()
  expect(openValue(key, context, sealed.subarray(0, -1).toString('base64'))).toBeUndefined()
})

test('the length of a value is hidden, and equal values differ', () => {
  const [short, long] = [sealValue(key, context, 'a'), sealValue(key, context, 'a'.repeat(63))]

  expect(short.length).toBe(long.length)
  expect(sealValue(key, context, 'a'.repeat(64)).length).toBeGreaterThan(long.length)
  expect(sealValue(key, context, 'a')).not.toBe(short)
})
