import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  listWords,
  parseKey,
  parseName,
  toCanonicalKey,
  toCanonicalName,
  toPhrase,
} from './name.ts'

test.each([
  ['  Atlas  ', 'atlas'],
  ['Project\t\n Atlas', 'project atlas'],
  ['Ａｔｌａｓ', 'atlas'],
  ['At\u200Blas\u202E', 'atlas'],
  ['Ünïcode', 'ünïcode'],
  ['U\u0308ber', 'über'],
  ['東京 タワー', '東京 タワー'],
  ['\uD800x', '\uFFFDx'],
  ['\u200B', ''],
])('the canonical form of %j is %j', (name, canonical) => {
  expect(toCanonicalName(name)).toBe(canonical)
})

test('a phrase of ASCII is that of the same name with an invisible character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), (name) => {
      expect(toPhrase(name)).toBe(toPhrase(`${name}\u200B`))
    }),
  )
})

test('a canonical name is its own canonical name', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0x10ffff })), (points) => {
      const canonical = toCanonicalName(String.fromCodePoint(...points))
      expect(toCanonicalName(canonical)).toBe(canonical)
    }),
  )
})

test.each([
  ['Node.js', 'node js'],
  ['Levi’s', 'levi'],
  ["Levi's", 'levi'],
  ['C++', 'c'],
  ['東京', '東京'],
  ['🙂', ''],
])('the phrase of %j is %j', (name, phrase) => {
  expect(toPhrase(name)).toBe(phrase)
})

test('longer words of a phrase of several words are listed', () => {
  expect(listWords('orchard gate of ada gate')).toEqual(['orchard', 'gate'])
  expect(listWords('orchard')).toEqual([])
})

test('keys have underscores', () => {
  expect(toCanonicalKey(' Release  Day ')).toBe('release_day')
  expect(parseKey('Release Day', 'claim_key')).toBe('release_day')
})

test('a displayed name keeps its case', () => {
  expect(parseName('  Project\u200B  Atlas ', 'name')).toEqual({
    name: 'Project Atlas',
    canonicalName: 'project atlas',
  })
  expect(parseName('🙂'.repeat(200), 'name').name).toBe('🙂'.repeat(200))
})

test.each([
  ['', 'name is required'],
  ['\u200B', 'name is required'],
  ['a\0b', 'name must not contain NUL'],
  ['x'.repeat(201), 'name must have at most 200 characters'],
])('the name %j is refused', (name, message) => {
  expect(() => parseName(name, 'name')).toThrow(message)
})
