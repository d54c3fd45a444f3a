import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ShownFacts } from './shown-facts.ts'

const isRepeat = (shown: string, text: string) => {
  const facts = new ShownFacts()
  facts.add(shown)
  return facts.repeats(text)
}

test.each([
  ['The barn is red.', '- the barn is RED'],
  ['We agreed: the barn is red. It holds hay.', 'The barn is red.'],
  [
    'The team decided to release on every second Tuesday',
    'Release decided on every second Tuesday',
  ],
  [
    'Das Team gibt jeden zweiten Dienstag eine Version frei',
    'Jeden zweiten Dienstag gibt das Team eine Version frei',
  ],
  ['我们每个星期二发布新版本', '每个星期二我们发布新版本'],
])('%j contains the fact %j', (shown, text) => {
  expect(isRepeat(shown, text)).toBe(true)
})

test.each([
  [
    'The staging gateway listens on port 8443 behind the proxy',
    'The staging gateway listens on port 8444 behind the proxy',
  ],
  [
    'The piano teacher Julia Brandt is paid by the term',
    'The piano teacher Julia Moreau is paid by the term',
  ],
  [
    'Deploy the payment service on the last day of the month',
    'Never deploy the payment service on the last day of the month',
  ],
  [
    'Wir streichen den Stall im Frühling mit roter Farbe',
    'Wir streichen den Stall im Frühling nicht mit roter Farbe',
  ],
  [
    'On the list: apples, pears, plums, cherries, quinces, medlars, walnuts and the zorilla sleeps',
    'On the list: apples, pears, plums, cherries, quinces, medlars, walnuts and mind the gander',
  ],
  ['The barn is red.', 'The barn is red and the gate behind the orchard is open.'],
  ['Paint the barn.', 'Paint the gate.'],
])('%j does not contain the fact %j', (shown, text) => {
  expect(isRepeat(shown, text)).toBe(false)
})

test('returns the sentences that are new, and records them', () => {
  const facts = new ShownFacts()
  facts.add('The hay lies in the northern barn.')

  expect(facts.takeNew('We mowed the meadow. The hay lies in the northern barn.')).toBe(
    'We mowed the meadow.',
  )
  expect(facts.takeNew('Die Wiese ist gemäht.\nWe mowed the meadow.')).toBe('Die Wiese ist gemäht.')
  expect(facts.takeNew('We mowed the meadow!')).toBe('')
})

test('a text repeats itself', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => isRepeat(text, text)))
})
