import { expect, test } from 'vitest'
import { evidence, firstOf, rankRows } from './rank-answers.fixture.ts'

const unrelated = { evidence: { lexical: 0, soft: 0, vector: 0.1, hint: 0 }, score: 0.1 }

test.each([
  [
    'who repairs the lift',
    'The lift is repaired by Larkin, within a day',
    'Larkin closed in spring. Ostrava Service comes instead',
  ],
  [
    'wer wartet die Heizung',
    'Our boiler is serviced by Hollander each May',
    'Hollander is bankrupt, Brandt takes the contract',
  ],
  [
    '¿quién limpia la oficina?',
    'La oficina la limpia Ramona los lunes',
    'Ramona se va a Lugo. Viene Teresa',
  ],
  [
    'who tunes the organ',
    'The organ is tuned by Mr. Maibach, twice a year',
    'Mr. Maibach has retired. Toelz Brothers come instead',
  ],
  [
    'wer stimmt die Orgel',
    'Die Orgel wird von Herrn Maibach gestimmt, zweimal im Jahr',
    'Herr Maibach ist in Rente, das macht ab jetzt Frau Tölz',
  ],
])('%s: a newer note about the end of the value stands first', (query, old, recent) => {
  const rows = [{ content: old }, { content: recent, ...unrelated, isRelated: true }]
  const [first, second] = rankRows(query, rows)

  expect(first?.hit.content).toBe(recent)
  expect(first?.stages.at(-1)?.name).toBe('successor')
  expect(first?.features.evidence.lexical).toBe(evidence.lexical)
  expect(second).toMatchObject({ hit: { content: old }, outdatedBy: { content: recent } })
})

const old = 'The lift is repaired by Larkin, within a day'

test.each([
  ['it announces no change', 'Larkin sent a calendar with bridges'],
  ['the name is that of another', 'Larkin Mills left for the coast, says the porter'],
  ['the name does not stand first', 'The lamp shop next to Larkin closed'],
])('a related note is no row if %s', (_, content) => {
  const full = old.replace('Larkin', 'Larkin Bros')
  const base = content.includes('Mills') ? full : old
  const rows = rankRows('who repairs the lift', [
    { content: base },
    { content, ...unrelated, isRelated: true },
  ])

  expect(rows.map(({ hit }) => hit.content)).toEqual([base])
})

test.each(['who repaired the lift before', 'who repaired the lift in January'])(
  '%s: the earlier value stays first',
  (query) => {
    const recent = 'Larkin closed in spring. Ostrava Service comes instead'

    expect(firstOf(query, [{ content: old }, { content: recent, score: 0.7 }])).toBe(old)
  },
)

test('a question that names the value gets what is said of it', () => {
  const later = 'Larkin closed in spring. Ostrava Service comes instead'

  expect(
    firstOf('what does Larkin repair', [{ content: old }, { content: later, score: 0.5 }]),
  ).toBe(old)
})

test.each([
  [
    'where is the printer',
    'The printer stands in room four',
    'The printer stands in room nine now',
  ],
  [
    'Wo steht der Drucker?',
    'Der Drucker steht in Zimmer vier',
    'Der Drucker steht jetzt in Zimmer neun',
  ],
])('%s: the earlier version does not make the newest one doubtful', (query, first, second) => {
  const other = { content: 'A sailor sang', ...unrelated }
  const rows = [{ content: first, score: 0.79 }, { content: second }, other]

  expect(rankRows(query, rows)[0]?.features.margin).toBeGreaterThan(0.5)
})
