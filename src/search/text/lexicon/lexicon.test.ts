import { expect, test } from 'vitest'
import { createLexicon } from './lexicon.ts'

const lexicon = createLexicon()

test.each([
  ['schlussel', 'de', 'key'],
  ['llave', 'es', 'key'],
  ['cles', 'fr', 'key'],
  ['钥匙', 'en', 'key'],
  ['nachbarn', 'de', 'neighbour'],
  ['quittung', 'de', 'receipt'],
  ['gerust', 'de', 'scaffold'],
  ['grifo', 'es', 'tap'],
  ['reembolso', 'es', 'refund'],
  ['echafaudage', 'fr', 'scaffold'],
  ['brouillard', 'fr', 'fog'],
  ['显微镜', 'en', 'microscope'],
  ['退款', 'en', 'refund'],
] as const)('%s is English %s', (word, language, english) => {
  const [translation] = lexicon.translate(word, language)

  expect(translation?.english[0]).toBe(english)
})

test('an English word has words of four languages and synonyms, as search terms', () => {
  const [translation] = lexicon.translate('doctors', 'en')

  expect(translation).toMatchObject({ terms: ['doctor'], english: [] })
  expect(translation?.foreign).toEqual(
    expect.arrayContaining(['arzt', 'medico', 'docteur', '医生']),
  )
  expect(translation?.synonyms).toContain('physician')
})

test('a very long word is no compound, and costs little time', () => {
  expect(lexicon.translate('wasserhahn'.repeat(2000), 'de')).toEqual([])
})

test('a word is looked up in other languages if its own does not have it', () => {
  expect(lexicon.translate('fahrrad', 'en')[0]?.english).toEqual(['bike'])
})

test('a word with a meaning of its own in English is no translation', () => {
  const [bread] = lexicon.translate('bread', 'en')

  expect(bread?.foreign).toContain('brot')
  expect(bread?.foreign).not.toContain('pain')
  expect(bread?.foreign).not.toContain('pan')
})

test('a word is no word of the same stem if the lexicon has the word itself', () => {
  const [car] = lexicon.translate('car', 'en')
  const [care] = lexicon.translate('care', 'en')

  expect(car?.foreign).toContain('wagen')
  expect(car?.foreign).not.toContain('betreuung')
  expect(care?.foreign).toContain('betreuung')
  expect(lexicon.translate('cars', 'en')[0]?.foreign).toContain('wagen')
})

test('an English word is not looked up as a word of another language', () => {
  expect(lexicon.translate('bonde', 'en')).toEqual([])
  expect(lexicon.translate('bonde', 'fr')[0]?.english).toEqual(['crowded'])
})

test.each([
  ['repariert', 'repair'],
  ['geliefert', 'deliver'],
  ['abgeholt', 'pickup'],
  ['bienenstocke', 'hive'],
])('the German form %s is English %s', (word, english) => {
  expect(lexicon.translate(word, 'de')[0]?.english[0]).toBe(english)
})

test('a German word is searched in its usual forms', () => {
  expect(lexicon.translate('clean', 'en')[0]?.foreign).toEqual(
    expect.arrayContaining(['reinigen', 'reinigt', 'gereinigt']),
  )
  expect(lexicon.translate('grifo', 'es')[0]?.foreign).toContain('armaturen')
  expect(lexicon.translate('klingel', 'de')[0]?.synonyms).toContain('klingeln')
})

test('a German compound has a translation for each part', () => {
  const english = lexicon.translate('gartenschlussel', 'de').map((one) => one.english[0])

  expect(english).toEqual(['garden', 'key'])
})

test('words without spaces are found from left to right, the longest first', () => {
  const english = lexicon.translate('打印机在图书馆', 'en').map((one) => one.english[0])

  expect(english).toEqual(['printer', 'library'])
})

test.each(['xyzzy', '', 'constructor', '𠮷'])('%j has no translation', (word) => {
  expect(lexicon.translate(word, 'en')).toEqual([])
})
