import { expect, test } from 'vitest'
import { coverSpecificTerms, findMissingWeight } from './coverage.ts'
import { readSpecificTerms } from './specific-terms.ts'

test.each([
  ['what does QX-1207 mean?', ['qx-1207']],
  ['Was bedeutet QX-1207 im Protokoll?', ['qx-1207']],
  ['which file is conf/rates_a.csv', ['conf/rates_a.csv']],
  ['who is Dora Mayfield?', ['dora mayfield']],
  ['¿quién es Dora Mayfield?', ['dora mayfield']],
  ['is port 9043 free in May 2024', ['9043']],
  ['what do we eat on Monday', []],
  ['Wo steht der Schrank?', []],
  ['which seats are in hall B?', ['b']],
  ['Welche Plätze hat Saal B?', ['b']],
  ['¿qué hay en la sala B?', ['b']],
  ['方案B是什么', ['b']],
  ['what may I do', []],
  ['who is it, and A?', []],
])('%s has these specific terms', (query, terms) => {
  expect(readSpecificTerms(query).map(({ words }) => words.join(' '))).toEqual(terms)
})

test.each([
  ['QX-1207', 'QX-1207: the door is open', 1],
  ['QX-1207', 'QX-1270: the door is shut', 0],
  ['QX-1207', 'QX-12070 is another one', 0],
  ['call Dora Mayfield', 'Dora Mayfield is the gardener', 1],
  ['call Dora Mayfield', 'Dora M. is the gardener', 1],
  ['call Dora Mayfield', 'Dora Winter is the cook', 0.4],
  ['call Dora Mayfield', "Otto Mayfield's garage", 0.4],
  ['the ARC filters', 'ARC_4 smooths the edges', 1],
  ['ARC_4', 'ARC_4B smooths the edges', 0],
  ['联系 QX-1207', '编号QX-1207已关闭', 1],
  ['seats in hall B', 'Hall B seats forty', 1],
  ['seats in hall B', 'hall b seats forty', 1],
  ['seats in hall B', 'the halls A and B are shut', 1],
  ['seats in hall B', 'Hall A seats forty, said Bob B. Stone', 0],
  ['Welche Plätze hat Saal A?', 'Saal B hat vierzig Plätze', 0],
  ['方案B', '方案B是租船', 1],
  ['方案B', '方案A是租船', 0],
])('%s is covered by "%s" to %d', (query, content, coverage) => {
  expect(coverSpecificTerms(readSpecificTerms(query), { content, who: 'ada' })).toBe(coverage)
})

test('the speaker covers a name, and a query without such terms is covered', () => {
  const text = { content: 'I like tea', who: 'Dora' }

  expect(coverSpecificTerms(readSpecificTerms('what does Dora drink'), text)).toBe(1)
  expect(coverSpecificTerms(readSpecificTerms('who drinks tea'), text)).toBe(1)
})

test('a term that no text has is missing', () => {
  const texts = [{ content: 'QX-1270 is shut', who: 'ada' }]

  expect(findMissingWeight(readSpecificTerms('QX-1207'), texts)).toBe(1)
  expect(findMissingWeight(readSpecificTerms('QX-1270'), texts)).toBe(0)
  expect(findMissingWeight([], texts)).toBe(0)
})
