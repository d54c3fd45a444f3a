import { expect, test } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import type { EngineCandidate } from '../../search/index.ts'
import type { Found } from '../memory/index.ts'
import { scoreKeywordMatch } from './lexical-search.ts'
import { ask, insert, onEachEngine, recallNeeds, stubEngine } from './recall.fixture.ts'
import { recall } from './recall.ts'

const ada = callerFor('ada')

const found = {} as Found
const evidence = { lexical: 1, soft: 0, vector: 0, hint: 0 }

test.each<[string, Partial<EngineCandidate['evidence']>, number, number, string]>([
  ['what is matched alone counts for itself', {}, 0.6, 0.6, 'keyword'],
  ['so does what is only alike', { vector: 0.5 }, 0, 0.5, 'vector'],
  ['both are weighed', { vector: 0.5 }, 1, 0.7 * 0.5 + 0.3, 'hybrid'],
  ['a better hint explains the hit', { vector: 0.1, hint: 0.6 }, 0, 0.6, 'hint'],
  ['but never more than derived evidence may', { hint: 1 }, 0.1, 0.75, 'hint'],
])('%s', (_name, more, share, score, source) => {
  const candidate = {
    id: 'a',
    score: 1,
    source: 'hybrid',
    evidence: { ...evidence, ...more },
  } as const
  const weighed = scoreKeywordMatch({ found, candidate, share }, 0.7)

  expect(weighed.score).toBeCloseTo(score)
  expect(weighed.source).toBe(source)
})

onEachEngine(
  'parses a keyword query as an FTS expression, with and without an engine',
  async (db) => {
    const { needs } = await recallNeeds(db)
    await insert(
      db,
      { id: 'both', content: 'the harbour bridge was painted' },
      { id: 'bridge', content: 'a bridge over the harbour road' },
      { id: 'other', content: 'the lighthouse' },
    )
    const played = stubEngine([
      { id: 'other', evidence: { lexical: 1, soft: 0, vector: 0.2, hint: 0 } },
    ])
    const matched = async (keywordQuery: string, more: object = {}) => {
      const { results } = await recall({ ...needs, ...more }, ada, ask('x', { keywordQuery }))
      return results.filter(({ source }) => source === 'keyword').map(({ id }) => id)
    }

    for (const engine of [{}, played]) {
      expect(await matched('"harbour bridge"', engine)).toEqual(['both'])
      expect((await matched('painted OR lighthouse', engine)).includes('both')).toBe(true)
      expect((await matched('bridge harbour', engine)).toSorted()).toEqual(['both', 'bridge'])
      expect(await matched('"unbalanced harbour', engine)).not.toContain('other')
      const spaced = (length: number) => `"harbour${' '.repeat(length)}bridge"`
      expect(await matched(spaced(3900), engine)).toEqual(['both'])
      // Too long for an expression: its words.
      expect((await matched(spaced(4000), engine)).toSorted()).toEqual(['both', 'bridge'])
      expect(await matched('bridge\0painted', engine)).toEqual(['both'])
    }
    expect(played.queries.map(({ text }) => text)).toContain('x')
    const { results } = await recall(
      { ...needs, ...played },
      ...([ada, ask('x', { keywordQuery: 'bridge', explain: true })] as const),
    )
    expect(results.at(-1)).toMatchObject({ id: 'other', source: 'vector', score: 0.2 })
    expect(results[0]?.explain?.stages[0]).toMatchObject({ name: 'keywords' })
  },
)
