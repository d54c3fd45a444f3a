import { expect, test } from 'vitest'
import { trait } from '../text/query.ts'
import { rank } from './rank.ts'
import { createCosineScale, noNeighbour, type RankingInput } from './ranking-input.ts'
import { maxNoteTerms } from './text-traits.ts'
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
  readonly related?: boolean
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
  related: false,
}

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

test('user messages rank above assistant messages', () => {
  expect(order([{ who: 'assistant' }, { who: 'user' }])).toEqual([1, 0])
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

const talk = Array.from({ length: 12 }, (_, at) => ({ who: 'user', lexical: 4 - at / 10 }))
const standing = { who: 'user', traits: trait.instruction, lexical: 0.2, vector: 0.3 }

test('the two nearest standing instructions of the user are among the first ten rows', () => {
  const rows = [...talk, standing, { ...standing, lexical: 0.1 }, { ...standing, lexical: 0.05 }]

  const first = order(rows).slice(0, 10)
  expect(first).toEqual(expect.arrayContaining([12, 13]))
  expect(first).not.toContain(14)
  expect(order(rows).slice(0, 6)).not.toContain(12)
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

test('explained stage scores sum up to the ranking score', () => {
  const { explain, ranked } = ask([{ named: true, who: 'bob' }, {}])
  const total = (slot: number) => explain(slot).reduce((sum, { score }) => sum + score, 0)

  expect(ranked.map(({ slot }) => slot)).toEqual([0, 1])
  expect(total(0)).toBeGreaterThan(total(1))
  expect(explain(0)).toContainEqual(expect.objectContaining({ name: 'named' }))
})

function order(rows: readonly Row[], queryTraits = 0): number[] {
  return ask(rows, queryTraits).ranked.map(({ slot }) => slot)
}

/** Rows in the order of messages; the coverage of a row grows with its words. */
function ask(
  rows: readonly Row[],
  queryTraits = 0,
  alpha?: number,
  vectorKind: RankingInput['vectorKind'] = 'static',
) {
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
    vectorKind,
    soft: column(({ soft }) => soft),
    coverage: (slot) => Math.min(1, at(slot).lexical / 2),
    softCoverage: column(({ options }) => options),
    hintCoverage: (slot) => Math.min(1, at(slot).hint),
    isAbsenceSignificant: true,
    who: column(({ who }) => who),
    isNamedSpeaker: column(({ named }) => (named ? 1 : 0)),
    words: column(({ words }) => words),
    traits: column(({ traits }) => traits),
    queryTraits,
    isRelated: column(({ related }) => (related ? 1 : 0)),
    session: column(({ session }) => session),
    terms: (slot) => at(slot).terms,
    before: neighbourOf(-1),
    after: neighbourOf(+1),
    createdAt: () => 0,
    byRecency: (slot, other) => slot - other,
  }
  return rank(input, { limit: rows.length, alpha })
}
