import { expect, test } from 'vitest'
import { explainQuestion } from './explain-question.ts'

test.each([
  ['Where is the cisterm?', { from: 'cisterm', to: 'cistern' }, 'The Cisterns leak', 'cisterns'],
  [
    'Wo steht die Zistrne?',
    { from: 'zistrne', to: 'zisterne' },
    'Die Zisterne ist leer',
    'zisterne',
  ],
])('%s: names the replacement as the hits write it', (query, correction, content, replacement) => {
  const question = { query, range: undefined, corrections: [correction], translations: [] }

  expect(explainQuestion(question, [{ content }])).toEqual({
    corrections: [{ term: correction.from, replacements: [replacement] }],
    translations: [],
    timeRange: null,
  })
})

test.each([
  ['Who is the dentist?', { from: 'dentist', to: 'zahnarzt' }, 'Zahnarzt: Frau Moll', 'zahnarzt'],
  ['Wie heißt der Zahnarzt?', { from: 'zahnarzt', to: 'dentist' }, 'Our dentist left', 'dentist'],
])('%s: names the words of the hits that mean the same', (query, translation, content, word) => {
  const question = { query, range: undefined, corrections: [], translations: [translation] }

  expect(explainQuestion(question, [{ content }]).translations).toEqual([
    { term: translation.from, replacements: [word] },
  ])
  expect(explainQuestion(question, [{ content: 'The well is dry' }]).translations).toEqual([])
})

test('hides a replacement that no hit has', () => {
  const corrections = [{ from: 'cisterm', to: 'cistern' }]
  const question = { query: 'cisterm', range: undefined, corrections, translations: [] }

  expect(explainQuestion(question, [{ content: 'The well is dry' }]).corrections).toEqual([])
})

test('names a time range with an open side', () => {
  const range = { start: undefined, end: '2025-03-01T00:00:00.000Z', rest: 'gutter' }
  const question = { query: 'gutter before March', range, corrections: [], translations: [] }

  expect(explainQuestion(question, []).timeRange).toEqual({ start: null, end: range.end })
})
