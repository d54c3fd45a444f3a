import { expect, test } from 'vitest'
import { trait } from '../text/query.ts'
import { order } from './rank.fixture.ts'

test('user messages rank above assistant messages', () => {
  expect(order([{ who: 'assistant' }, { who: 'user' }])).toEqual([1, 0])
})

test('a question for what the assistant said does not lower its messages', () => {
  expect(order([{ who: 'assistant', lexical: 1.1 }, { who: 'user' }], trait.advice)).toEqual([0, 1])
})

test('a preference of the user counts more if the question asks for help', () => {
  const rows = [
    { who: 'user', lexical: 4 },
    { who: 'user', traits: trait.preference },
  ]

  expect(order(rows)).toEqual([0, 1])
  expect(order(rows, trait.help)).toEqual([1, 0])
  expect(order(rows, trait.help | trait.summary)).toEqual([0, 1])
})

const talk = Array.from({ length: 12 }, (_, at) => ({ who: 'user', lexical: 4 - at / 10 }))
const standing = { who: 'user', traits: trait.instruction, lexical: 0.2, vector: 0.3 }

test('the two nearest standing instructions of the user are among the first ten rows', () => {
  const rows = [...talk, standing, { ...standing, lexical: 0.1 }, { ...standing, lexical: 0.05 }]

  const first = order(rows).slice(0, 10)
  expect(first).toEqual(expect.arrayContaining([12, 13]))
  expect(first).not.toContain(14)
  expect(order(rows).slice(0, 6)).not.toContain(12)
})

test('the standing instruction nearest in meaning applies, whatever its neighbours', () => {
  const distant = { ...standing, session: 1, lexical: 0.1, vector: 0.1 }
  const neighbour = { who: 'user', session: 1, lexical: 4 }
  const first = order([...talk, standing, neighbour, distant, { ...distant, session: 2 }])

  expect(first.indexOf(12)).toBeLessThan(first.indexOf(15))
})

test('a question for help has its standing instruction among the first rows', () => {
  expect(order([...talk, standing], trait.help).slice(0, 4)).toContain(12)
  expect(order([...talk, standing]).slice(0, 4)).not.toContain(12)
})

test.each([
  ['an order', trait.order],
  ['a summary', trait.summary],
  ['what the user did', trait.history],
])('a question for %s needs no standing instruction', (_, queryTraits) => {
  expect(order([...talk, standing], queryTraits).slice(0, 10)).not.toContain(12)
})

test('in a summary a reply follows its message', () => {
  const rows = [
    { who: 'user', session: 1, lexical: 3 },
    { who: 'assistant', session: 1, lexical: 0.1, vector: 0.1 },
    { who: 'user', session: 2, lexical: 2 },
  ]

  expect(order(rows, trait.summary)).toEqual([0, 1, 2])
  expect(order(rows).at(-1)).toBe(1)
})
