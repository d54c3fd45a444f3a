import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { sealedPoint } from '../../kernel/testing/sealed-point.ts'
import { ask, insert, onEachEngine, recallNeeds, rows, stubEngine } from './recall.fixture.ts'
import { recall } from './recall.ts'
import { findSimilar, similarQuery, toSimilarAnswer } from './similar.ts'

const ada = callerFor('ada')

onEachEngine('returns engine hits with rows loaded from the database', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'tabs' }, { id: 'b', content: 'spaces' })
  const played = stubEngine([
    { id: 'b', score: 0.9 },
    { id: 'a', score: 0.4 },
  ])

  const reply = await recall({ ...needs, ...played }, ada, ask('tabs', { type: 'fact', limit: 3 }))

  expect(reply).toMatchObject({
    method: 'hybrid',
    results: [
      { id: 'b', source: 'hybrid', score: 0.9 },
      { id: 'a', score: 0.4 },
    ],
  })
  expect(reply.meta.partial).toBeUndefined()
  expect(reply.meta.timings.stages.map(({ name }) => name)).toContain('scan')
  expect(played.queries).toMatchObject([
    { text: 'tabs', vector: { identity: 'model' }, filters: { type: 'fact', scope: null } },
  ])
  expect(played.queries[0]?.readScope).toMatchObject({ agentId: 'ada' })
})

onEachEngine('drops engine hits that the caller may not read', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(
    db,
    { id: 'private', content: 'tabs', agentId: 'bob', visibility: 'private' },
    { id: 'gone', content: 'tabs', deletedAt: '2025-07-01T00:00:00.000Z' },
    { id: 'old', content: 'tabs', supersededBy: 'a', supersededAt: '2025-07-01T00:00:00.000Z' },
    { id: 'scoped', content: 'tabs', scope: 'world' },
    { id: 'a', content: 'tabs' },
  )
  const ids = ['private', 'gone', 'old', 'scoped', 'unknown', 'a']
  const played = stubEngine(ids.map((id) => ({ id })))

  const { results } = await recall({ ...needs, ...played }, ada, ask('tabs'))
  const { rows } = await findSimilar({ ...needs, ...played }, ada, {
    id: 'old',
    limit: 10,
    type: undefined,
  })

  expect(results.map(({ id }) => id)).toEqual(['a'])
  expect(rows.map(({ memory }) => memory.id)).toEqual(['a'])
  for (const id of ['private', 'gone', 'unknown'])
    await expect(
      findSimilar({ ...needs, ...played }, ada, { id, limit: 10, type: undefined }),
    ).rejects.toMatchObject({ kind: 'not_found', code: 'no_embedding' })
})

onEachEngine(
  'halves vector-only hits without a shared term, but not those with a near-synonym',
  async (db) => {
    const { needs } = await recallNeeds(db)
    await insert(db, { id: 'akin', content: 'spaces' }, { id: 'vague', content: 'blanks' })
    const found = { source: 'vector' as const, score: 0.8 }
    const evidence = { lexical: 0, vector: 0.6, hint: 0 }
    const played = stubEngine([
      { id: 'vague', ...found, evidence: { ...evidence, soft: 0 } },
      { id: 'akin', ...found, evidence: { ...evidence, soft: 0.4 } },
    ])

    const { results } = await recall({ ...needs, ...played }, ada, ask('tabs', { explain: true }))

    expect(results).toMatchObject([
      { id: 'akin', score: 0.8 },
      {
        id: 'vague',
        score: 0.4,
        explain: {
          stages: expect.arrayContaining([
            expect.objectContaining({ name: 'dampening', score: 0.4 }),
          ]),
        },
      },
    ])
  },
)

onEachEngine('similar returns the nearest other memories, up to the limit', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(
    ...[db, { id: 'a', content: 'a' }, { id: 'b', content: 'b', tags: 'x,y', confidence: 0.4 }],
    ...[
      { id: 'made', content: 'd', sourceType: 'aggregate-recall' },
      { id: 'c', content: 'c' },
    ],
  )
  const played = stubEngine(['a', 'b', 'made', 'c'].map((id) => ({ id, score: 0.876 })))
  const similar = async (request: object) =>
    toSimilarAnswer(
      await findSimilar({ ...needs, ...played }, ada, similarQuery.parse({ id: 'a', ...request })),
    ).body.results

  const commonFields = { type: 'fact', score: 0.88, created_at: '2025-06-01T00:00:00.000Z' }
  const best = { id: 'b', content: 'b', tags: ['x', 'y'], confidence: 0.4, ...commonFields }
  const next = { id: 'c', content: 'c', tags: [], confidence: null, ...commonFields }
  expect(await similar({ k: 0 })).toEqual([best])
  expect(await similar({})).toEqual([best, next])
  expect(await similar({ type: 'decision' })).toEqual([])
  const limits = [undefined, 101, 'x'].map((k) => similarQuery.parse({ id: 'a', k }).limit)
  expect(limits).toEqual([10, 100, 10])
})

onEachEngine(
  'falls back to the database without an engine and when the engine fails',
  async (db) => {
    const { needs } = await recallNeeds(db)
    await insert(db, { id: 'a', content: 'tabs' })
    const { engine, embeddings } = stubEngine([{ id: 'a' }])
    const lost = async () => Promise.reject(new Error('the worker is gone'))
    const cases = [
      [needs.engine, 'no_index'],
      [
        { ...engine, health: () => ({ ...engine.health(), state: 'building' as const }) },
        'index_building',
      ],
      [{ ...engine, search: lost }, 'index_unavailable'],
      [
        {
          ...engine,
          search: async () => ({
            candidates: [],
            degraded: 'index_building' as const,
            timings: [],
          }),
        },
        'index_building',
      ],
    ] as const

    for (const [engine, cause] of cases)
      expect(await recall({ ...needs, engine, embeddings }, ada, ask('tabs'))).toMatchObject({
        method: 'keyword',
        results: [{ id: 'a' }],
        meta: { partial: true, degradation: { stages: ['index', 'vectors'], cause } },
      })
    const answer = { candidates: [], withoutVectors: 'no_vector_extension', timings: [] } as const
    const wordsAlone = { ...engine, search: async () => answer }
    expect(
      await recall({ ...needs, engine: wordsAlone, embeddings }, ada, ask('tabs')),
    ).toMatchObject({
      meta: { degradation: { stages: ['vectors'], cause: 'no_vector_extension' } },
    })
    const deaf = { ...embeddings, embedQuery: async () => undefined }
    expect(await recall({ ...needs, engine, embeddings: deaf }, ada, ask('tabs'))).toMatchObject({
      meta: { degradation: { stages: ['vectors'], cause: 'no_vector' } },
    })
    const late = { ...embeddings, embedQuery: async () => ({ isLate: true }) as const }
    expect(await recall({ ...needs, engine, embeddings: late }, ada, ask('tabs'))).toMatchObject({
      meta: { degradation: { stages: ['vectors'], cause: 'embedding_late' } },
    })
  },
)

onEachEngine('caps the score of a hit by hints alone', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'tabs' })
  const played = stubEngine([{ id: 'a', score: 0.9, source: 'hint' }])

  const { results } = await recall({ ...needs, ...played }, ada, ask('indentation'))

  expect(results).toMatchObject([{ source: 'hint', score: 0.75 }])
})

onEachEngine(
  'caps a recent and useful hint as well, with and without an engine and other words',
  async (db) => {
    const { needs } = await recallNeeds(db)
    const createdAt = needs.host.now().toISOString()
    await insert(
      ...[db, { id: 'hinted', content: 'the office is in Oslo', createdAt }],
      ...[{ id: 'said', content: 'her commute is long' }],
    )
    const hint = { memoryId: 'hinted', agentId: 'ada', hint: 'where does she commute' }
    await rows(db).insertInto('memoryHints').values(hint).execute()
    for (const key of ['1', '2', '3', '4', '5', '6', '7', '8']) {
      const opinion = { memoryId: 'hinted', agentId: 'ada', key, rating: 1, createdAt }
      await rows(db).insertInto('memoryFeedback').values(opinion).execute()
    }
    const evidence = { lexical: 0, soft: 0, vector: 0, hint: 1 }
    const played = stubEngine([
      { id: 'hinted', score: 0.75, source: 'hint', evidence },
      { id: 'said', score: 0.8, source: 'keyword', evidence: { ...evidence, lexical: 1, hint: 0 } },
    ])

    for (const engine of [{}, played])
      for (const keywordQuery of [undefined, 'commute']) {
        const request = ask('commute', { keywordQuery })
        const { results } = await recall({ ...needs, ...engine }, ada, request)
        expect(results.map(({ id }) => id)).toEqual(['said', 'hinted'])
        expect(results[1]).toMatchObject({ source: 'hint', score: 0.75 })
      }
  },
)

onEachEngine('drops hits below the minimum score before the recency boost', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'tabs', createdAt: needs.host.now().toISOString() })
  const played = stubEngine([{ id: 'a', score: 0.095 }])

  const { meta } = await recall({ ...needs, ...played }, ada, ask('something else'))

  expect(meta).toMatchObject({ noHits: true, totalReturned: 0 })
})

onEachEngine('drops hits below the requested minimum score', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'tabs' }, { id: 'b', content: 'tabs' })
  const played = stubEngine([
    { id: 'a', score: 0.8 },
    { id: 'b', score: 0.6 },
  ])
  const ids = async (minScore: number) =>
    (await recall({ ...needs, ...played }, ada, ask('tabs', { minScore }))).results.map(
      ({ id }) => id,
    )

  expect([await ids(0.6), await ids(0.61), await ids(1)]).toEqual([['a', 'b'], ['a'], []])
})

onEachEngine('the database searches a range of too many memories', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'deploy', createdAt: '2025-06-05T12:00:00.000Z' })
  const played = stubEngine([])
  const listIds = async () => Array.from({ length: 5001 }, (_, number) => `m${number}`)
  const memory = { ...needs.memory, search: { ...needs.memory.search, listIds } }
  const time = { start: '2025-06-05T00:00:00Z', mode: 'filter' }

  const wide = await recall({ ...needs, ...played, memory }, ada, ask('deploy', { time }))

  expect(wide).toMatchObject({
    results: [{ id: 'a' }],
    meta: { degradation: { cause: 'range_too_wide' } },
  })
  expect(played.queries).toEqual([])
})

onEachEngine('a time range restricts the engine to memories of that time', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(...[db, { id: 'then', content: 'deploy', createdAt: '2025-06-05T12:00:00.000Z' }], {
    id: 'later',
    content: 'deploy',
  })
  const played = stubEngine([{ id: 'then' }, { id: 'later' }])
  const time = { start: '2025-06-05T00:00:00Z', mode: 'filter' }

  const { results } = await recall({ ...needs, ...played }, ada, ask('deploy', { time }))

  expect(played.queries).toMatchObject([{ ids: ['then'] }])
  expect(results.map(({ id }) => id)).toEqual(['then'])
})

onEachEngine('adds graph hits, and keeps other hits when the graph fails', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(...[db, { id: 'a', content: 'tabs' }, { id: 'linked', content: 'spaces' }], {
    id: 'private',
    content: 'x',
    agentId: 'bob',
    visibility: 'private',
  })
  const link = { score: 0.6, source: 'structured' as const, reason: 'an attribute of tabs' }
  const graph = sealedPoint({
    search: async () => {
      const hits = ['linked', 'private'].map((id) => ({ ...link, id }))
      return { hits, entities: [], readings: [] }
    },
  })
  const broken = sealedPoint({ search: async () => Promise.reject(new Error('no graph')) })
  const played = stubEngine([{ id: 'a', score: 0.5 }])

  const { results } = await recall({ ...needs, ...played, graph }, ada, ask('tabs'))
  const without = await recall({ ...needs, ...played, graph: broken }, ada, ask('tabs'))

  expect(results.map(({ id, source }) => [id, source])).toEqual([
    ['a', 'hybrid'],
    ['linked', 'structured'],
  ])
  expect(without).toMatchObject({
    results: [{ id: 'a' }],
    meta: { degradation: { stages: ['graph'], cause: 'graph_unavailable' } },
  })
})
