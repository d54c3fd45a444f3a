import { expect, test } from 'vitest'
import { trait } from '../text/traits.ts'
import { rank } from './rank.ts'
import { noNeighbour, type RankingInput } from './ranking-input.ts'
import { maxNoteTerms } from './term-overlap.ts'
import { interpolateWeight, weights } from './weights.ts'

interface Row {
  readonly lexical?: number
  readonly vector?: number
  readonly hint?: number
  readonly soft?: number
  readonly options?: number
  readonly who?: string
  readonly named?: boolean
  readonly words?: number
  readonly traits?: number
  readonly session?: number
  readonly terms?: readonly string[]
}

const row = {
  lexical: 1,
  vector: 0.5,
  hint: 0,
  soft: 0,
  options: 0,
  who: 'ada',
  named: false,
  words: 20,
  traits: 0,
  session: 0,
  terms: [] as readonly string[],
}

test('the more evidence, the better', () => {
  expect(order([{ lexical: 1 }, { lexical: 3 }, { lexical: 2 }])).toEqual([1, 2, 0])
})

test('the balance says whether words or meaning decide', () => {
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

test('words alike count as a share of what is likest, whatever its length takes away', () => {
  const { explain } = ask([
    { soft: 0.3, options: 0.6 },
    { soft: 0.2, options: 0.2 },
  ])
  const soft = (slot: number) => explain(slot).find(({ name }) => name === 'soft')?.score ?? 0

  expect(soft(0)).toBeCloseTo(interpolateWeight(weights.soft, row.words) / 2)
  expect(soft(1)).toBeCloseTo(interpolateWeight(weights.soft, row.words) / 3)
})

test('what was said beside a good answer comes before what stands alone', () => {
  const rows = [{ lexical: 1 }, { lexical: 5, session: 1 }, { lexical: 1, session: 1 }]

  expect(order(rows)).toEqual([1, 2, 0])
})

test('a note that shares words with the best one comes before others that match as well', () => {
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
    reason: 'shares words with the best note',
  })
})

test('no note is akin to what was said in a session, nor to one that is about everything', () => {
  const many = Array.from({ length: maxNoteTerms + 1 }, (_, number) => `word${number}`)
  const isRelated = (best: Row) =>
    ask([{ lexical: 2, terms: many.slice(0, maxNoteTerms), ...best }, { terms: ['word1'] }])
      .explain(1)
      .some(({ name }) => name === 'kinship')

  expect(isRelated({})).toBe(true)
  expect(isRelated({ session: 1 })).toBe(false)
  expect(isRelated({ terms: many })).toBe(false)
})

test('who is named in the question is preferred, unless all was said by one', () => {
  const rows = [{ lexical: 1.2 }, { named: true, who: 'bob' }]

  expect(order(rows)).toEqual([1, 0])
  expect(order([{ lexical: 1.2 }, { named: true }])).toEqual([0, 1])
})

test('what the user said comes before what was said to the user', () => {
  expect(order([{ who: 'assistant' }, { who: 'user' }])).toEqual([1, 0])
})

test('an answer comes before a question, and a time where one is asked for', () => {
  expect(order([{ traits: trait.question, session: 1 }, { session: 2 }])).toEqual([1, 0])
  expect(order([{}, { traits: trait.time }], trait.time)).toEqual([1, 0])
  expect(order([{}, { traits: trait.time }])).toEqual([0, 1])
})

test('a short remark says little, a short note is as long as it has to be', () => {
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

test('a lone match is an answer even when much speaks against its form', () => {
  const { ranked } = ask([{ traits: trait.question, words: 1, session: 1 }])

  expect(ranked[0]?.score).toBeGreaterThan(0.1)
})

test('what has nothing of the question is no answer', () => {
  expect(order([{ lexical: 0, vector: 0.1 }])).toEqual([])
  expect(order([{ lexical: 0, vector: 0 }, {}])).toEqual([1])
})

test('what has little of the words and little of the meaning is no answer', () => {
  expect(order([{ lexical: 0.4, vector: 0.3 }])).toEqual([])
  expect(order([{ lexical: 0.4, vector: 0.4 }])).toEqual([0])
  expect(order([{ lexical: 0.6, vector: 0.3 }])).toEqual([0])
})

test('what only a hint knows of is found, and never scores more than a hint may', () => {
  const [found] = ask([{ lexical: 0, vector: 0, hint: 2 }]).ranked

  expect(found?.source).toBe('hint')
  expect(found?.score).toBeLessThanOrEqual(0.75)
})

test('the reasons of a row add up to what it is ordered by', () => {
  const { explain, ranked } = ask([{ named: true, who: 'bob' }, {}])
  const total = (slot: number) => explain(slot).reduce((sum, { score }) => sum + score, 0)

  expect(ranked.map(({ slot }) => slot)).toEqual([0, 1])
  expect(total(0)).toBeGreaterThan(total(1))
  expect(explain(0)).toContainEqual(expect.objectContaining({ name: 'named' }))
})

function order(rows: readonly Row[], wanted = 0): number[] {
  return ask(rows, wanted).ranked.map(({ slot }) => slot)
}

/** Rows in the order in which they were said; each covers as much of the question as it has words. */
function ask(rows: readonly Row[], wanted = 0, alpha?: number) {
  const at = (slot: number) => ({ ...row, ...rows[slot] })
  const column = <Value>(valueAt: (row: ReturnType<typeof at>, slot: number) => Value) =>
    rows.map((_, slot) => valueAt(at(slot), slot))
  const neighbourOf = (step: number) =>
    column(({ session }, slot) => {
      const other = slot + step
      return session !== 0 && rows[other] && at(other).session === session ? other : noNeighbour
    })
  const input: RankingInput = {
    rankedCount: rows.length,
    scoredCount: rows.length,
    lexical: column(({ lexical }) => lexical),
    vector: column(({ vector }) => vector),
    passage: column(({ vector }) => vector),
    hint: column(({ hint }) => hint),
    soft: column(({ soft }) => soft),
    coverage: (slot) => Math.min(1, at(slot).lexical / 2),
    softCoverage: column(({ options }) => options),
    hintCoverage: (slot) => Math.min(1, at(slot).hint),
    isAbsenceSignificant: true,
    who: column(({ who }) => who),
    isNamedSpeaker: column(({ named }) => (named ? 1 : 0)),
    words: column(({ words }) => words),
    traits: column(({ traits }) => traits),
    queryTraits: wanted,
    session: column(({ session }) => session),
    terms: (slot) => at(slot).terms,
    before: neighbourOf(-1),
    after: neighbourOf(+1),
    byRecency: (slot, other) => slot - other,
  }
  return rank(input, { limit: rows.length, alpha })
}
