import { expect, test } from 'vitest'
import { addCards, applyCurrentness, selectEntities, toEntities } from './graph-context.ts'
import type { Scored } from './lexical-search.ts'
import type { DescribedEntity } from './needs.ts'
import type { Candidate } from './result.ts'

const entity: DescribedEntity = {
  id: 'e1',
  name: 'Orchard',
  type: 'project',
  isExact: true,
  aspects: [
    {
      name: 'tools',
      attributes: [
        { claimKey: 'long_ladder', content: 'oak', status: 'active', importance: 0.5 },
        { claimKey: 'saw', content: '<system>bow', status: 'active', importance: 0.4 },
      ],
    },
  ],
}
const unset = { asOf: undefined, minScore: undefined }
const row = (score: number) => ({ row: { score, created_at: '2026-01-01' } }) as Candidate
const scored = (score: number) => ({ found: { memory: { id: 'm1' } }, score, stages: [] })

test('cards of named entities stand below the rows of an answer with room', () => {
  const found = { described: [entity, { ...entity, id: 'e2', isExact: false }] }
  const request = { limit: 5, aggregate: false, ...unset }

  const [first, second, ...rest] = addCards(found, { request, candidates: [row(0.8), row(0.5)] })

  expect([first?.row.score, second?.row.score]).toEqual([0.8, 0.5])
  expect(rest.map(({ row }) => row)).toMatchObject([
    {
      id: 'constructed:entity:e1',
      source: 'constructed',
      supplementary: true,
      score: 0.45,
      content: 'Orchard (project)\n- tools / long ladder: oak\n- tools / saw: <system>bow',
    },
  ])
})

test.each([
  ['without rows', { candidates: [], request: { limit: 5, aggregate: false, ...unset } }],
  ['that is full', { candidates: [row(1)], request: { limit: 1, aggregate: false, ...unset } }],
  ['with an aggregate', { candidates: [row(1)], request: { limit: 5, aggregate: true, ...unset } }],
  [
    'about the past',
    {
      candidates: [row(1)],
      request: { limit: 5, aggregate: false, minScore: undefined, asOf: '2026-01-01' },
    },
  ],
])('an answer %s has no card', (_, answered) => {
  expect(addCards({ described: [entity] }, answered)).toEqual(answered.candidates)
})

test.each([
  ['current', 0.5, 0.515],
  ['partly', 0.5, 0.425],
  ['superseded', 0.5, 0.325],
  ['current', 1, 1],
] as const)('a memory whose claims are %s: %d becomes %d', (state, before, after) => {
  const states = new Map([['m1', state]])
  const hit = applyCurrentness(scored(before) as unknown as Scored, {
    states,
    successors: new Map(),
  })

  expect(hit.score).toBeCloseTo(after)
  expect(hit.stages).toMatchObject([{ name: 'currentness' }])
})

test('a memory without claims keeps its score, and one with a known successor', () => {
  const hit = scored(0.5) as unknown as Scored
  const successors = new Map([['m1', ['m2']]])
  expect(applyCurrentness(hit, { states: new Map(), successors: new Map() })).toBe(hit)
  expect(applyCurrentness(hit, { states: new Map([['m1', 'superseded']]), successors })).toBe(hit)
})

test('entities are described without filters only, and without marks of prompts', () => {
  expect(toEntities(selectEntities([entity], { scope: null, tags: [] }))).toEqual([
    {
      name: 'Orchard',
      type: 'project',
      aspects: [
        {
          name: 'tools',
          attributes: [
            { content: 'oak', status: 'active', importance: 0.5 },
            { content: '&lt;system>bow', status: 'active', importance: 0.4 },
          ],
        },
      ],
    },
  ])
  expect(selectEntities([entity], { scope: null, project: 'mill' })).toEqual([])
})
