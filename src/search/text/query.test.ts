import { expect, test } from 'vitest'
import { countWords, readQueryTraits, readTraits, trait } from './query.ts'

test.each([
  ['Where is it?', trait.question],
  ['在哪里？', trait.question],
  ['We met last Tuesday.', trait.time],
  ['It was in 2019.', trait.time | trait.number],
  ['She has three sons.', trait.number],
  ['Always answer in French.', trait.instruction],
  ["I'd rather walk.", trait.preference],
  ['It is a unicorn.', 0],
])('%s', (text, traits) => {
  expect(readTraits(text)).toBe(traits)
})

test.each([
  ['When did she leave?', trait.time],
  ['How many sons has she?', trait.number],
  ['Who left?', 0],
  ['Can you summarize the move?', trait.summary],
  ['Fasse den Umzug zusammen: eine Zusammenfassung', trait.summary],
  ['List the order in which we packed.', trait.order],
  ['In welcher Reihenfolge haben wir gepackt?', trait.order],
  ['What must I do in order to pack?', 0],
])('%s wants it', (question, queryTraits) => {
  expect(readQueryTraits(question)).toBe(queryTraits)
})

test.each([
  ['three short words', 3],
  ['', 0],
  ['我喜欢猫咪', 3],
])('%s has so many words', (text, words) => {
  expect(countWords(text)).toBe(words)
})
