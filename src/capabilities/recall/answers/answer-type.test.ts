import { expect, test } from 'vitest'
import { createTypeTest } from './answer-type.ts'
import { toConfidenceLevel } from './confidence.ts'
import { evidence, firstOf, rankRows } from './rank-answers.fixture.ts'

test.each([
  ['what does the ferry cost?', 'The ferry costs 12 euros.', 'The ferry leaves at 6:30.'],
  ['how much is the mooring?', 'Mooring is free in winter.', 'The mooring is in Kiel, box B-17.'],
  ['what does Ada charge an hour?', 'Ada takes 45 an hour.', 'Ada comes on Fridays.'],
  ['what is the salary?', 'The salary is 3,100.', 'The salary talk was at 31 degrees.'],
  ['Was kostet die Halle?', 'Die Halle kostet 90.', 'Die Halle hat 19 Grad.'],
  ['Was kostet die Fähre?', 'Die Fähre kostet zwanzig Euro.', 'Die Fähre fährt um 6:30.'],
  ['¿cuánto cuesta el barco?', 'El barco vale 900.', 'El barco es de madera.'],
  ['船多少钱?', 'The boat was 900.', 'The boat is made of oak.'],
  ['how many sails do we have?', 'Three sails are in the loft.', 'The sails are in the loft.'],
  ['wie viele Segel haben wir?', 'Wir haben drei Segel.', 'Die Segel liegen im Schuppen.'],
  ['which version runs on deck?', 'The deck runs 4.2.', 'The deck was painted.'],
  ['when does the yard open?', 'The yard opens on Mondays.', 'The yard opens its own shop.'],
  ['wann öffnet die Werft?', 'Die Werft öffnet montags.', 'Die Werft öffnet einen Laden.'],
  ['how often do we oil the winch?', 'Oil the winch every spring.', 'Oil the winch with Lubra.'],
  ['how long is the refit?', 'The refit takes two weeks.', 'The refit costs 8,000.'],
  ['what colour is the hull?', 'The hull is navy.', 'The hull is steel.'],
  ['welche Farbe hat der Rumpf?', 'Der Rumpf ist blau.', 'Der Rumpf ist aus Stahl.'],
  ['what is the cat called?', 'The cat is Mostrich, she is grey.', 'The cat sleeps on deck.'],
  ['who oils the winch?', 'Winch: oiled by Ada.', 'Winch: oil it well.'],
  ['who oils the winch?', 'The winch is oiled by an agency.', 'Winch: oil it well.'],
  ['who oils the winch?', 'The porter does the winch.', 'Winch: oil it well.'],
])('%s %s answers, and %s does not', (question, answer, other) => {
  const hasValue = createTypeTest(question)

  expect([hasValue(answer), hasValue(other)]).toEqual([true, false])
})

test.each([
  'where is the winch?',
  'why did we sell the boat?',
  'which winch do we use?',
  'who is Ada?',
  'wo ist die Winsch?',
  '船在哪里?',
])('%s asks for no kind of value', (question) => {
  expect(createTypeTest(question)('Winches rust.')).toBe(true)
})

test('a text in a script without spaces may have any value', () => {
  expect(createTypeTest('what colour is the hull?')('船体是海军蓝')).toBe(true)
})

test.each([
  ['what does the crane cost?', 'The crane is serviced by Kessler.', 'Rent of the crane: 90.'],
  ['Was kostet der Kran?', 'Der Kran wird von Kessler gewartet.', 'Miete für den Kran: 90.'],
])(
  '%s: a text without a price is unsure, and stands behind one with a price',
  (query, without, price) => {
    const rows = [
      { content: without, score: 0.9 },
      { content: price, score: 0.8 },
    ]
    const [only] = rankRows(query, [{ content: without, evidence: { ...evidence, lexical: 1 } }])

    expect(toConfidenceLevel(only?.confidence ?? 1)).toBe('low')
    expect(firstOf(query, rows)).toBe(price)
  },
)
