import { expect, test } from 'vitest'
import { trait } from '../text/query.ts'
import { ask, order, type Row, row } from './rank.fixture.ts'
import { createCosineScale, type RankingInput } from './ranking-input.ts'
import { maxNoteTerms } from './text-traits.ts'
import { interpolateWeight, weights } from './weights.ts'

test('more evidence ranks higher', () => {
  expect(order([{ lexical: 1 }, { lexical: 3 }, { lexical: 2 }])).toEqual([1, 2, 0])
})

test('alpha weighs words against meaning', () => {
  const rows = [
    { lexical: 3, vector: 0.3 },
    { lexical: 1, vector: 0.9 },
  ]
  const best = (alpha?: number) => ask(rows, 0, alpha).ranked[0]?.slot

  expect([best(0), best(1)]).toEqual([0, 1])
  expect(best(0.7)).toBe(best())
  expect(
    ask(rows, 0, 1)
      .explain(0)
      .map(({ name }) => name),
  ).not.toContain('lexical')
})

test('meaning counts more, and suffices alone, with vectors of a transformer', () => {
  const [common, similar] = [
    { lexical: 2, vector: 0.3, soft: 1, options: 1 },
    { lexical: 0, vector: 0.5 },
  ]
  const secondScore = (kind?: RankingInput['vectorKind']) =>
    ask([common, similar], 0, undefined, kind)
      .explain(1)
      .reduce((sum, { score }) => sum + score, 0)
  const countAlone = (kind?: RankingInput['vectorKind']) =>
    ask([similar], 0, undefined, kind).ranked.length

  expect(secondScore('transformer')).toBeGreaterThan(2 * secondScore('static'))
  expect([countAlone('static'), countAlone('transformer')]).toEqual([0, 1])
})

test('the cosine of unrelated texts counts as nothing', () => {
  const scale = createCosineScale({
    identity: 'model',
    values: new Float32Array(0),
    baseCosine: 0.8,
  })

  expect([0.7, 0.8, 0.9, 1].map((cosine) => Math.round(100 * scale(cosine)))).toEqual([
    0, 0, 50, 100,
  ])
  expect(createCosineScale(undefined)(-0.2)).toBe(-0.2)
})

test('soft match is normalized by its raw maximum', () => {
  const { explain } = ask([
    { soft: 0.3, options: 0.6 },
    { soft: 0.2, options: 0.2 },
  ])
  const soft = (slot: number) => explain(slot).find(({ name }) => name === 'soft')?.score ?? 0

  expect(soft(0)).toBeCloseTo(interpolateWeight(weights.soft, row.words) / 2)
  expect(soft(1)).toBeCloseTo(interpolateWeight(weights.soft, row.words) / 3)
})

test('a neighbour of a good hit ranks above an isolated text', () => {
  const rows = [{ lexical: 1 }, { lexical: 5, session: 1 }, { lexical: 1, session: 1 }]

  expect(order(rows)).toEqual([1, 2, 0])
})

test('term overlap with the best note raises a note', () => {
  const [regatta, harbour] = [
    ['regatta', 'lisbon', 'may'],
    ['regatta', 'lisbon', 'harbour'],
  ]
  const rows = [
    { lexical: 2, terms: regatta },
    { lexical: 1, terms: harbour },
    { lexical: 1, terms: ['council', 'harbour'] },
  ]

  expect(order(rows)).toEqual([0, 1, 2])
  expect(ask(rows).explain(1)).toContainEqual({
    name: 'kinship',
    score: (weights.termOverlap * 2) / 3,
    reason: 'shares terms with the best note',
  })
})

test('term overlap ignores session messages and very long notes', () => {
  const many = Array.from({ length: maxNoteTerms + 1 }, (_, number) => `word${number}`)
  const isRelated = (best: Row) =>
    ask([{ lexical: 2, terms: many.slice(0, maxNoteTerms), ...best }, { terms: ['word1'] }])
      .explain(1)
      .some(({ name }) => name === 'kinship')

  expect(isRelated({})).toBe(true)
  expect(isRelated({ session: 1 })).toBe(false)
  expect(isRelated({ terms: many })).toBe(false)
})

test('a named speaker ranks higher unless all messages have one speaker', () => {
  const rows = [{ lexical: 1.2 }, { named: true, who: 'bob' }]

  expect(order(rows)).toEqual([1, 0])
  expect(order([{ lexical: 1.2 }, { named: true }])).toEqual([0, 1])
})

test('answers rank above questions, and times rank higher if the query asks for one', () => {
  expect(order([{ traits: trait.question, session: 1 }, { session: 2 }])).toEqual([1, 0])
  expect(order([{}, { traits: trait.time }], trait.time)).toEqual([1, 0])
  expect(order([{}, { traits: trait.time }])).toEqual([0, 1])
})

test('brevity lowers session messages, not notes', () => {
  expect(
    ask([{ words: 3 }])
      .explain(0)
      .map(({ name }) => name),
  ).not.toContain('brevity')
  expect(
    order([
      { words: 3, session: 1 },
      { words: 30, session: 2 },
    ]),
  ).toEqual([1, 0])
})

test('a single match is returned despite penalties', () => {
  const { ranked } = ask([{ traits: trait.question, words: 1, session: 1 }])

  expect(ranked[0]?.score).toBeGreaterThan(0.1)
})

test('a text without anything in common is not returned', () => {
  expect(order([{ lexical: 0, vector: 0.1 }])).toEqual([])
  expect(order([{ lexical: 0, vector: 0 }, {}])).toEqual([1])
})

test('weak evidence of words and meaning returns nothing', () => {
  expect(order([{ lexical: 0.4, vector: 0.3 }])).toEqual([])
  expect(order([{ lexical: 0.4, vector: 0.4 }])).toEqual([0])
  expect(order([{ lexical: 0.6, vector: 0.3 }])).toEqual([0])
})

test('a hint-only hit is returned with a capped score', () => {
  const [ranked] = ask([{ lexical: 0, vector: 0, hint: 2 }]).ranked

  expect(ranked?.source).toBe('hint')
  expect(ranked?.score).toBeLessThanOrEqual(0.75)
})

test('a related row without evidence follows the others, unless the best is a turn', () => {
  const related = { lexical: 0, vector: 0, related: true }
  const { ranked } = ask([related, {}])

  expect(ranked.map(({ slot, isRelated }) => [slot, isRelated])).toEqual([
    [1, undefined],
    [0, true],
  ])
  const dialogue = [{ session: 1 }, { session: 1, who: 'bob' }]
  expect(order([related, ...dialogue])).not.toContain(0)
  expect(order([related])).toEqual([])
})

test('explained stage scores sum up to the ranking score', () => {
  const { explain, ranked } = ask([{ named: true, who: 'bob' }, {}])
  const total = (slot: number) => explain(slot).reduce((sum, { score }) => sum + score, 0)

  expect(ranked.map(({ slot }) => slot)).toEqual([0, 1])
  expect(total(0)).toBeGreaterThan(total(1))
  expect(explain(0)).toContainEqual(expect.objectContaining({ name: 'named' }))
})
