import { expect, test } from 'vitest'
import { expandContractions } from './contractions.ts'
import { read, readAll } from './rules.fixture.ts'
import { tokenize } from './tokens.ts'

test.each([
  ['Im based in Lugo', ['Ada Moreau · lives_in · Lugo']],
  ['im allergic to kiwis', ['Ada Moreau · allergic_to · kiwis']],
  ['ive moved to Lugo', ['Ada Moreau · lives_in · Lugo']],
  ['i dont use Trello any more', ['Ada Moreau · ? · ends Trello']],
  ['Ferry doesnt depend on Kafka anymore', ['Ferry · depends_on · ends Kafka']],
  ['Ferry was rewritten. its written in Nim now', ['Ferry · language · Nim']],
  ['Ferry wont start without Kafka', ['Ferry · depends_on · Kafka']],
])('contractions without an apostrophe: %j', (text, expected) => {
  expect(readAll(text)).toEqual(expected)
})

test.each([
  'ill move to Lugo',
  'id move to Lugo if i could',
  'i cant live in Lugo',
  'Ferry isnt written in Nim',
  'im moving to Lugo next year',
  'shes based in Lugo',
  'Im Januar besuche ich Lugo',
  'Im Meeting sprach jemand von Lugo',
])('contractions without an apostrophe state nothing: %j', (text) => {
  expect(readAll(text)).toEqual([])
})

test.each([
  ['Ferry lost its Kafka dependency', 'its'],
  ['Im Team nutze ich Trello', 'im'],
  ['I feel ill in Lugo', 'ill'],
  ['the id of Ferry', 'id'],
])('words that only look like a contraction stay: %j', (text, word) => {
  expect(expandContractions(tokenize(text)).map(({ lower }) => lower)).toContain(word)
})

test('the quote of a contraction is the text as it stands', () => {
  const text = 'Short note: Im based in Lugo.'
  const [statement] = read(text).statements
  expect(statement?.quote).toBe(text)
})
