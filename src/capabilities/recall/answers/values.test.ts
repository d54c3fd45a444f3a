import { expect, test } from 'vitest'
import { firstOf, rankRows } from './rank-answers.fixture.ts'
import { haveOtherValues, readValues } from './values.ts'

const differ = (one: string, other: string) => haveOtherValues(readValues(one), readValues(other))

test.each([
  ['The pool opens at 7:30', 'The pool opens at 8:15'],
  ['Swimming is on Mondays', 'Swimming is on Friday'],
  ['A locker costs 3 euros', 'A locker costs 4.50 €'],
  ['Keep the film two weeks', 'Keep the film for 4 weeks'],
  ['Four towel hooks', 'There are seven hooks'],
  ['Das Bad öffnet montags', 'Das Bad öffnet donnerstags'],
  ['Der Kurs dauert drei Wochen', 'Der Kurs dauert fünf Wochen'],
  ['La taquilla cuesta 3 euros', 'La taquilla cuesta 5 euros'],
  ['La clase es el lunes', 'La clase es el jueves'],
  ['泳池每周三开放', '泳池每周五开放'],
  ['门票25元', '门票30元'],
])('%s / %s: other values', (one, other) => {
  expect(differ(one, other)).toBe(true)
})

test.each([
  ['The pool opens at 7:30', 'The pool still opens at 7:30'],
  ['A locker costs 3 euros', 'The locker is 3 feet high'],
  ['A locker costs 3 euros', 'The new roof costs 41,000 euros'],
  ['Swimming is on Mondays', `Swimming is on Friday${' and so on'.repeat(40)}`],
  ['Das Bad öffnet montags', 'Am Montag öffnet das Bad'],
  ['门票25元', '泳池25米'],
])('%s / %s: no other value of one kind', (one, other) => {
  expect(differ(one, other)).toBe(false)
})

/** Has half of the question, in other words. */
const reworded = { evidence: { lexical: 0.35, soft: 0.35, vector: 0.3, hint: 0 }, score: 0.5 }

test.each([
  [
    'when does the sauna of the pool open',
    'The sauna of the pool opens on Tuesdays, bring towels',
    'Pool sauna: Fridays, and bring your own towels',
  ],
  [
    'how much is a locker in the pool',
    'A locker in the pool is 3 euros a visit',
    'Lockers: 4 euros a visit, the coin slots were adjusted',
  ],
  [
    'wann öffnet die Sauna im Bad',
    'Die Sauna im Bad öffnet dienstags, Handtücher mitbringen',
    'Sauna im Bad: freitags, Handtücher nicht vergessen',
  ],
  [
    '¿a qué hora abre la sauna de la piscina?',
    'La sauna de la piscina abre a las 9:00 con toalla propia',
    'Sauna de la piscina: desde las 10:30, con toalla propia',
  ],
  ['泳池的桑拿几点开门?', '泳池的桑拿九点开门,请带毛巾', '泳池桑拿十点开始,请带毛巾'],
])('%s: a newer text with another value stands first', (query, old, recent) => {
  const [first, second] = rankRows(query, [{ content: old }, { content: recent, ...reworded }])

  expect(first?.hit.content).toBe(recent)
  expect(second?.outdatedBy?.content).toBe(recent)
})

const old = 'The sauna of the pool opens on Tuesdays, bring towels'
/** Other rows of the answer. */
const others = ['The pool has a slide', 'The pool café sells soup'].map((content) => ({
  content,
  score: 0.3,
  createdAt: '2025-01-05T00:00:00.000Z',
  evidence: { lexical: 0.2, soft: 0.2, vector: 0.2, hint: 0 },
}))

test.each([
  [
    'has no value',
    'when does the sauna of the pool open',
    old,
    'The sauna of the pool has softer towels',
  ],
  [
    'is about a passing time',
    'when does the sauna of the pool open',
    old,
    'Tomorrow the pool lets the painters in',
  ],
  [
    'is about a passing time',
    'wann öffnet die Sauna im Bad',
    'Die Sauna im Bad öffnet dienstags, Handtücher mitbringen',
    'Ausnahmsweise sind die Maler im Bad',
  ],
  [
    'is about another thing',
    'when does the sauna of the pool open',
    old,
    'The café of the pool opens on Fridays, bring cups',
  ],
])('the older text stays first if the newer one %s', (_, query, first, content) => {
  const rows = [{ content: first }, { content, ...reworded }, ...others]

  expect(firstOf(query, rows)).toBe(first)
})

test('in a question about the past the older value stands first', () => {
  const recent = 'Pool sauna: Fridays, and bring your own towels'
  const rows = [{ content: old, ...reworded }, { content: recent }]

  expect(firstOf('on what day did the sauna of the pool open previously', rows)).toBe(old)
})

test.each([
  [
    'when do I meet Castellan',
    'Castellan advises me, we meet each second Wednesday',
    'Castellan became mayor. From now on Friday, forty minutes',
  ],
  [
    '¿qué día atiende Marisol?',
    'A Marisol la encuentras los lunes en la oficina',
    'Marisol cambia de turno: jueves por la tarde',
  ],
  [
    'when do I call Castellan',
    'Castellan takes calls on Mondays',
    'Castellan wechselt: Anruf ab jetzt freitags',
  ],
])('%s: a changed value of what the question names stands first', (query, old, recent) => {
  expect(firstOf(query, [{ content: old }, { content: recent, ...reworded }])).toBe(recent)
})
