import { expect, test } from 'vitest'
import { parseQuery } from './parse-query.ts'

test.each([
  ['Give me a comprehensive summary of our conversations about the lamp', ['lamp']],
  ['List in order how I brought up different aspects of the move: three items', ['mov']],
  ['Gib mir eine vollständige Zusammenfassung unserer Gespräche über die Lampe', ['lamp']],
  ['In welcher Reihenfolge haben wir verschiedene Aspekte der Lampe besprochen?', ['lamp']],
  ['Dame un resumen completo de nuestras conversaciones sobre la lámpara', ['lampara']],
  ['Donne-moi un résumé de nos conversations sur la lampe', ['lamp']],
])('%s searches its subject', (question, terms) => {
  expect(parseQuery(question, new Set()).terms).toEqual(terms)
})

test('a Chinese question searches its subject', () => {
  expect(parseQuery('总结我们关于台灯的对话', new Set()).terms).not.toContain('对话')
})

test('other questions, and questions of such words only, lose nothing', () => {
  const termsOf = (question: string) => parseQuery(question, new Set()).terms

  expect(termsOf('Who was in the session about the order?')).toEqual(['session', 'order'])
  expect(termsOf('Summarize the order of the lamp')).toEqual(['order', 'lamp'])
  expect(termsOf('Summary of the session')).toEqual(['summary', 'session'])
})
