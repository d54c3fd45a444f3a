import { expect, test } from 'vitest'
import { read, readAll } from './rules.fixture.ts'

test.each([
  ['I live in Lugo took a while', ['Ada Moreau · lives_in · Lugo']],
  ['Ferry runs on Azure let me know if it breaks', ['Ferry · deployed_on · Azure']],
  ['Ferry is written in Nim btw', ['Ferry · language · Nim']],
  ['I use Trello just saying.', ['Ada Moreau · uses · Trello']],
  ['Ich wohne in Lugo hat gedauert', ['Ada Moreau · lives_in · Lugo']],
  ['Ich nutze Trello nur so nebenbei', ['Ada Moreau · uses · Trello']],
  ['tiny update - i live in Lugo', ['Ada Moreau · lives_in · Lugo']],
  ['news from me - moved to Lugo', ['Ada Moreau · lives_in · Lugo']],
  ['跟大家说一声，我搬到苏州了。', ['Ada Moreau · lives_in · 苏州']],
])('remarks around a statement: %j', (text, expected) => {
  expect(readAll(text)).toEqual(expected)
})

test.each([
  'not true - I live in Lugo',
  'my cousin - moved to Lugo',
  'Olu Adeyemi - I live in Lugo',
  'from my novel - I live in Lugo',
  'I live in Lugo lol',
  'Do you think I live in Lugo let me know if so?',
  '听大家说，我搬到苏州了。',
])('remarks that take a statement back: %j', (text) => {
  expect(readAll(text)).toEqual([])
})

test('the quote ends in front of the remark', () => {
  const [statement] = read('I live in Lugo more on that tomorrow').statements
  expect(statement?.quote).toBe('I live in Lugo')
})
