import { expect, test } from 'vitest'
import { readSource } from './read-text.ts'

/** Operation and the fields that identify it. */
function draft(text: string, known: readonly string[] = []) {
  return readSource(text)
    .listDrafts(new Set(known))
    .map(({ operation, payload, quote }) => {
      expect(text).toContain(quote)
      const { name, entity, claim_key, source_entity, link_type, target_entity } = payload
      const fields = [name, entity, claim_key, source_entity, link_type, target_entity]
      return [operation, ...fields.filter((field) => field !== undefined)].join(' ')
    })
}

test.each([
  ['[[Heron Gateway]] was discussed.', ['create_entity Heron Gateway']],
  ['I saw [[Heron Gateway|the gateway]] again.', ['create_entity Heron Gateway']],
  [
    'Heron Gateway must rotate credentials weekly.',
    ['add_claim_value Heron Gateway must_rotate_credentials'],
  ],
  ['Heron Gateway depends on Nimbus Store.', ['create_link Heron Gateway depends_on Nimbus Store']],
  ['The Heron Gateway needs to stay small.', ['add_claim_value Heron Gateway needs_to_stay_small']],
  ['Heron Gateway is written in Rust.', ['add_claim_value Heron Gateway is_written_rust']],
  ['Heron Gateway uses PostgreSQL for storage.', ['create_link Heron Gateway uses PostgreSQL']],
  ['Nimbus requires Heron Gateway.', ['create_link Nimbus requires Heron Gateway']],
  ['`nimbus-api` uses `heron_db`.', ['create_link nimbus-api uses heron_db']],
  ['User: Heron Gateway should be renamed.', ['add_claim_value Heron Gateway should_renamed']],
  ['Heron 网关 is old. Atlas2 使用 PostgreSQL。', ['create_link Atlas2 uses PostgreSQL']],
])('reads %j', (text, expected) => {
  expect(draft(text)).toEqual(expected)
})

test.each([
  ['a question', 'Heron Gateway is slow?'],
  ['a condition', 'If Heron Gateway is slow, restart it.'],
  ['a Chinese condition', '如果 Atlas2 使用 PostgreSQL。'],
  ['a quotation', '> Heron Gateway is slow.'],
  ['code', '    Heron Gateway is slow.'],
  ['a fenced block', '```\nHeron Gateway is slow.\n```'],
  ['a fenced block in a line', 'User: See ```Heron Gateway is slow.``` there.'],
  ['a heading', '# Heron Gateway is slow'],
  ['a table row', '| Heron Gateway is slow |'],
  ['an address', 'Heron Gateway is at https://heron.test now.'],
  ['a sentence-initial word', 'Weather is fine.'],
  ['a word that also occurs in lower case', 'Weather must improve. I like the weather.'],
  ['a pronoun', 'They should rotate credentials. It uses PostgreSQL.'],
  ['a weekday', 'Monday must be quiet.'],
  ['a long sentence', `Heron Gateway is ${'very '.repeat(80)}slow.`],
  ['a link to itself', 'Heron Gateway uses Heron Gateway.'],
])('reads nothing from %s', (_, text) => {
  expect(draft(text)).toEqual([])
})

test('a name of the graph counts in lower case', () => {
  expect(draft('the deploy robot is offline.')).toEqual([])
  expect(draft('the deploy robot is offline.', ['deploy robot'])).toEqual([
    'add_claim_value deploy robot is_offline',
  ])
})

test('a repeated capital inside sentences makes a word a name', () => {
  const text = 'I met Nimbus. Then Nimbus came. Nimbus is big.'

  expect(draft(text)).toEqual(['add_claim_value Nimbus is_big'])
})

test('reads at most fifty statements of a rule', () => {
  const lines = Array.from({ length: 80 }, (_, index) => `Heron Gateway must pass check ${index}.`)

  expect(draft(lines.join('\n'))).toHaveLength(50)
})

test.each([
  ['verbs', 'is '.repeat(70_000)],
  ['backticks', '`'.repeat(200_000)],
  ['brackets', '[['.repeat(100_000)],
  ['one capital', 'A'.repeat(200_000)],
])('reads nothing from a long text of %s', (_, text) => {
  expect(draft(text)).toEqual([])
})
