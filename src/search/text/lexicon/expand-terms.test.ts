import { expect, test } from 'vitest'
import { expandTerms } from './expand-terms.ts'
import type { Translation } from './lexicon.ts'

const key: Translation = {
  terms: ['key'],
  synonyms: ['opener'],
  foreign: ['schlussel', '钥匙'],
  english: [],
}
const schlussel: Translation = {
  terms: ['schlussel'],
  synonyms: [],
  foreign: ['key', 'llave'],
  english: ['key'],
}
const expand = (terms: readonly string[], translations: readonly Translation[], index: string) => {
  const known = new Set(index.split(' '))
  const { groups, english } = expandTerms(terms, translations, (term) => known.has(term))
  return { groups: groups.map((group) => group.map(({ term }) => term)), english }
}

test('a known term keeps its place, with words of other languages that the index has', () => {
  expect(expand(['garden', 'key'], [key], 'key garden 钥匙 opener')).toEqual({
    groups: [['garden'], ['key', '钥匙']],
    english: [],
  })
})

test('words that the index has replace an unknown term', () => {
  expect(expand(['schlussel'], [schlussel], 'key')).toEqual({ groups: [['key']], english: ['key'] })
  expect(expand(['key'], [key], 'opener')).toEqual({ groups: [['opener']], english: [] })
})

test('an unknown term without known translations stays', () => {
  expect(expand(['schlussel', 'rot'], [schlussel], 'door')).toEqual({
    groups: [['schlussel'], ['rot']],
    english: [],
  })
})

test('unknown pairs of characters go if a word of the sentence is replaced', () => {
  const chinese: Translation = {
    terms: ['钥', '匙', '钥匙'],
    synonyms: [],
    foreign: ['key'],
    english: ['key'],
  }
  const terms = ['钥', '匙', '钥匙', '匙在', '在', '哪']

  expect(expand(terms, [chinese], 'key door')).toEqual({ groups: [['key']], english: ['key'] })
  expect(expand(terms, [chinese], 'key 匙在').groups).toEqual(terms.map((term) => [term]))
})

test('the number of words is bounded', () => {
  const foreign = Array.from({ length: 50 }, (_, at) => `word${at}`)

  expect(expand(['key'], [{ ...key, foreign }], `key ${foreign.join(' ')}`).groups[0]).toHaveLength(
    7,
  )
})
