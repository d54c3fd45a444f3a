import { expect, test } from 'vitest'
import type { Scored } from './lexical-search.ts'
import { mergeGraph } from './merge-graph.ts'

const hit = (id: string, score: number, source: Scored['source'] = 'hybrid') =>
  ({ found: { memory: { id } }, score, source, stages: [] }) as unknown as Scored

const merge = (
  direct: readonly Scored[],
  hits: readonly Scored[],
  cited: Readonly<Record<string, readonly string[]>> = {},
) =>
  mergeGraph(direct, { hits, limit: 10, cited: new Map(Object.entries(cited)) })
    .map(({ found, score }) => `${found.memory.id} ${Math.round(score * 100) / 100}`)
    .toSorted()

test('without graph hits nothing changes', () => {
  const direct = [hit('a', 0.5), hit('b', 0.4)]
  expect(mergeGraph(direct, { hits: [], limit: 10, cited: new Map() })).toEqual(direct)
})

test('graph evidence raises a direct score by at most 0.15, and never lowers it', () => {
  expect(merge([hit('a', 0.5)], [hit('a', 0.5, 'structured')])).toEqual(['a 0.6'])
  expect(merge([hit('a', 0.5)], [hit('a', 1, 'structured')])).toEqual(['a 0.65'])
  expect(merge([hit('a', 1.2)], [hit('a', 1, 'structured')])).toEqual(['a 1.2'])
})

test('rows of the graph alone are capped and never above the best direct row', () => {
  const linked = [hit('s', 0.9, 'structured'), hit('t', 0.9, 'traversal')]
  expect(merge([hit('a', 0.8)], linked)).toEqual(['a 0.8', 's 0.75', 't 0.35'])
  expect(merge([hit('a', 0.3)], linked)).toEqual(['a 0.3', 's 0.3', 't 0.3'])
})

test('they are at most 40 % of the answer, and weak ones alone are none', () => {
  const linked = Array.from({ length: 9 }, (_, at) => hit(`s${at}`, 0.5, 'structured'))
  expect(merge([hit('a', 0.8)], linked)).toHaveLength(5)
  expect(merge([], linked)).toHaveLength(9)
  expect(merge([], [hit('s', 0.49, 'structured')])).toEqual([])
})

test('the claim that a memory supports counts with its score and its names', () => {
  const evidence = { lexical: 0.8, soft: 0, vector: 0.5, hint: 0 }
  const derived = { ...hit('derived', 0.9), evidence, reading: 'of Atlas' }
  const cited = new Map([['derived', ['a']]])
  const [better] = mergeGraph([derived, hit('a', 0.4)], { hits: [], limit: 10, cited })
  expect(better).toMatchObject({ score: 0.9, evidence, reading: 'of Atlas' })
  const [unchanged] = mergeGraph([derived, hit('a', 0.95)], { hits: [], limit: 10, cited })
  expect(unchanged).toMatchObject({ score: 0.95 })
  expect(unchanged?.evidence).toBeUndefined()

  const linked = { ...hit('a', 0.5, 'structured'), reading: 'of Heron' }
  expect(
    mergeGraph([hit('a', 0.5)], { hits: [linked], limit: 10, cited: new Map() }),
  ).toMatchObject([{ score: 0.6, reading: 'of Heron' }])
})

test('a derived row gives its score to the cited memories among the candidates', () => {
  const direct = [hit('derived', 0.9), hit('a', 0.4)]
  expect(merge(direct, [], { derived: ['a', 'other'] })).toEqual(['a 0.9'])
  expect(merge(direct, [], { derived: ['other'] })).toEqual(['a 0.4', 'derived 0.9'])
  expect(merge([hit('derived', 0.9)], [hit('a', 0.5, 'structured')], { derived: ['a'] })).toEqual([
    'a 1',
  ])
})
