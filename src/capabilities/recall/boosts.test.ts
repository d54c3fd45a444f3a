import { expect, test } from 'vitest'
import { applyBoosts } from './boosts.ts'
import { searchSettings } from './config.ts'
import type { Scored } from './lexical-search.ts'
import { parseQueryWords } from './words.ts'

const config = searchSettings.schema.parse(undefined)
const now = new Date('2026-01-31T00:00:00Z')
const old = { createdAt: '2020-01-01T00:00:00Z', accessCount: 0, lastAccessed: null }

const dated = 'the harbour was closed on May 5 because of the storm from the west'

interface Case {
  readonly createdAt?: string
  readonly accessCount?: number
  readonly lastAccessed?: string
  readonly meanUse?: number
  readonly ratings?: number
  readonly rated?: number
  readonly valid?: boolean
  readonly source?: Scored['source']
  readonly content?: string
  readonly score?: number
  readonly type?: string
  readonly resolved?: boolean
  readonly project?: string
}

function weighed({ score = 0.5, source = 'keyword', content = 'tabs', ...more }: Case) {
  const { type = 'fact', resolved = false, project = null } = more
  const { createdAt, accessCount, lastAccessed } = { ...old, ...more }
  const memory = { id: 'a', content, type, createdAt, project } as Scored['found']['memory']
  const { ratings = 0, rated = 0, valid = true, meanUse = 0 } = more
  return applyBoosts(
    { found: { memory, accessCount, lastAccessed, magnitude: 0 }, score, source, stages: [] },
    {
      config: { ...config, resolution_enabled: resolved },
      now,
      meanUsage: meanUse,
      words: () => parseQueryWords('tabs'),
      feedback: new Map([['a', { ratings, rated, valid }]]),
      preferredProject: '/meadow',
    },
  )
}

test.each<[string, Case, number]>([
  ['what is old and was never used is worth what it says', {}, 0.5],
  ['what is of the project gains', { project: '/meadow' }, 0.5 * 1.15],
  ['what is of another project loses nothing', { project: '/weir' }, 0.5],
  ['what is new gains', { createdAt: now.toISOString() }, 0.5 * 1.05],
  ['what is of tomorrow gains no more', { createdAt: '2030-01-01T00:00:00Z' }, 0.5 * 1.05],
  ['half of it after its half-life', { createdAt: '2026-01-17T00:00:00Z' }, 0.5 * 1.025],
  [
    'frequent and recent use is boosted',
    { accessCount: 9, lastAccessed: now.toISOString() },
    0.5 * 1.1,
  ],
  [
    'average use is not boosted',
    { accessCount: 9, lastAccessed: now.toISOString(), meanUse: Math.log(10) },
    0.5,
  ],
  [
    'a recent hit by hints alone stays at the maximum hint score',
    { source: 'hint', score: 0.73, createdAt: now.toISOString() },
    0.75,
  ],
  ['under that it gains like others', { source: 'hint', ratings: 1, rated: 1 }, 0.5 * 1.1],
  ['one good opinion counts a little', { ratings: 1, rated: 1 }, 0.5 * 1.1],
  ['many count more', { ratings: 18, rated: 18 }, 0.5 * 1.27],
  ['bad ones take away', { ratings: 1, rated: -1 }, 0.5 * 0.9],
  ['what holds at other times loses', { valid: false }, 0.5 * 0.65],
  ['what shares no word loses, down to a bound', { source: 'vector', content: 'x' }, 0.3],
  ['half at most', { source: 'vector', content: 'x', score: 0.8 }, 0.4],
  ['what is weak loses no more', { source: 'vector', content: 'x', score: 0.2 }, 0.2],
  ['a vector that shares a word does not', { source: 'vector' }, 0.5],
  ['nor do words that were found', { content: 'x' }, 0.5],
  ['a decision gains if the query asks for one', { type: 'decision', resolved: true }, 0.6],
  ['what binds too', { type: 'constraint', resolved: true }, 0.6],
  ['else it does not', { type: 'decision' }, 0.5],
  ['so does what contains a date', { content: dated, resolved: true }, 0.55],
  ['a verb is no month', { content: dated.replace('May 5', 'May be'), resolved: true }, 0.5],
  ['nor is a date alone much', { content: '2025-05-05', resolved: true }, 0.5],
])('%s', (_name, given, score) => {
  const result = weighed(given)

  expect(result.score).toBeCloseTo(score)
  expect(result.stages.at(-1)?.score ?? score).toBeCloseTo(score)
})

test('explains the maximum hint score', () => {
  const { stages } = weighed({ source: 'hint', score: 0.75, ratings: 1, rated: 1 })

  expect(stages.at(-1)).toMatchObject({ name: 'hint cap', score: 0.75 })
})

test('explains each boost with a reason', () => {
  const { stages } = weighed({ ratings: 1, rated: 1, valid: false })

  expect(stages.map(({ name, reason }) => [name, reason])).toEqual([
    ['feedback', '1 ratings, sum 1'],
    ['currentness', 'valid at another time'],
  ])
})
