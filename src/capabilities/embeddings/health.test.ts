import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { noEmbeddings } from '../../kernel/testing/no-embeddings.ts'
import type { EmbedderRegistry } from './embedder-registry.ts'
import { embeddingsNeeds, onEachEngine } from './embeddings.fixture.ts'
import { readHealth } from './health.ts'
import type { Coverage, EmbeddingsNeeds } from './needs.ts'
import type { ProviderStatus } from './schemas.ts'

import { insertModel } from './store/models.ts'
import { type HasVector, insertVectors } from './store/vectors.ts'

const up = { provider: 'static', model: 'm', available: true, base_url: null, checkedAt: '' }
const all = { total: 20, embedded: 20 }

const cases: readonly [string, { up?: boolean; coverage?: Coverage; missing?: number }, number][] =
  [
    ['all is well', {}, 1],
    ['one has lost its vector', { missing: 1 }, 0.97],
    ['nine of ten have one', { coverage: { total: 10, embedded: 9 } }, 0.88],
    ['half of them have one', { coverage: { total: 10, embedded: 5 } }, 0.75],
    ['the provider is down', { up: false }, 0.7],
    ['it is down and none has one', { up: false, coverage: { total: 10, embedded: 0 } }, 0.45],
  ]

onEachEngine('the status follows the weighted score of the checks', async (db) => {
  const { needs, memories } = embeddingsNeeds(db)
  for (const [name, { up: available = true, coverage = all, missing = 0 }, score] of cases) {
    const port = {
      ...memories.port,
      countReadable: async () => coverage,
      countUnprocessed: async () => missing,
      isStored: noEmbeddings.hasVector,
    }
    const runtime = withMakers({ ...needs, memories: () => port })
    const health = await readHealth(runtime, callerFor('ada'), { ...up, available })

    const verdict = score >= 0.8 ? 'healthy' : score >= 0.5 ? 'degraded' : 'unhealthy'
    expect({ ...health, checks: [] }, name).toMatchObject({ score, status: verdict })
  }
})

onEachEngine('memories with vectors of another model or length are stale', async (db) => {
  const { needs, memories, written } = embeddingsNeeds(db)
  for (const id of ['one', 'two', 'three']) memories.put(id, id)
  const port = {
    ...memories.port,
    countUnprocessed: async () => 0,
    countReadable: (_caller: unknown, { hasVector }: { readonly hasVector: HasVector }) =>
      memories.port.countLive(db, hasVector),
  }
  const read = async (configured?: string, target?: string, answers: ProviderStatus = up) => {
    const runtime = withMakers({ ...needs, memories: () => port }, configured, target)
    const health = await readHealth(runtime, callerFor('ada'), answers)
    const { checks, score, staleCount: stale, config } = health
    const { dimensions } = config
    return { score, stale, dimensions, wrong: checks.filter(({ status }) => status !== 'ok') }
  }
  const begun = { seenRevision: 0, createdAt: '2026-01-02', promotedAt: null }
  const model = { dims: 3, quantisation: 'served', promptFormat: 'plain', ...begun }
  await insertModel(db, { ...model, model: 'one', identity: 'one', state: 'active' })
  const vector = { agentId: 'ada', contentHash: 'h', whole: Float32Array.of(1), passages: [] }
  const keep = (identity: string, ids: readonly string[]) =>
    insertVectors(
      db,
      { identity, createdAt: '2026-01-02' },
      ids.map((memoryId) => ({ memoryId, ...vector })),
    )
  await keep('one', ['one', 'two', 'three'])
  expect(await read('one', 'one')).toMatchObject({ score: 1, stale: 0, wrong: [] })

  written.config = { provider: 'static', model: 'another', dimensions: 5 }
  expect(await read('one', 'one', { ...up, dimensions: 3 })).toMatchObject({
    score: 1,
    stale: 0,
    wrong: [],
    dimensions: 3,
  })

  written.config = { provider: 'ollama', dimensions: 5 }
  const length = { name: 'dimension-mismatch', status: 'fail', detail: { mismatched: 3 } }
  const drift = { name: 'model-drift', status: 'warn', detail: { stale: 3 } }
  const silent = { ...up, available: false }
  expect(await read('one', undefined)).toMatchObject({ stale: 3, wrong: [length], dimensions: 5 })
  expect(await read('two', undefined, silent)).toMatchObject({
    score: 0.5,
    stale: 3,
    dimensions: 5,
    wrong: [{ name: 'provider-available' }, length, drift],
  })

  await insertModel(db, { ...model, model: 'two', identity: 'two', dims: 5, state: 'building' })
  expect(await read('two', 'two')).toMatchObject({ score: 0.8, stale: 3, wrong: [length, drift] })
  await keep('two', ['two', 'three'])
  expect(await read('two', 'two')).toMatchObject({
    stale: 1,
    wrong: [
      { message: '1 vectors have 3 dimensions, 5 are configured' },
      { message: 'two is being built' },
    ],
  })
})

/** Only the configured provider is queried, and its model if it reports one. */
function withMakers(needs: EmbeddingsNeeds, model?: string, target?: string) {
  const provider = needs.config().provider
  const registry = {
    configured: () => (model === undefined ? undefined : { provider, model }),
    models: () => ({ target: target === undefined ? undefined : { identity: target } }),
  }
  return { needs, registry: registry as unknown as EmbedderRegistry }
}

onEachEngine('the fix names another model if the model rejects the missing texts', async (db) => {
  const { needs, memories } = embeddingsNeeds(db)
  const fixOf = async (settled: number) => {
    const counts = [
      { total: 10, embedded: 5 },
      { total: 10, embedded: settled },
    ]
    const port = {
      ...memories.port,
      countReadable: async () => counts.shift() ?? all,
      countUnprocessed: async () => 0,
      isStored: noEmbeddings.hasVector,
    }
    const runtime = withMakers({ ...needs, memories: () => port })
    const { checks } = await readHealth(runtime, callerFor('ada'), up)
    return checks.find(({ name }) => name === 'coverage')?.fix
  }

  expect(await fixOf(9)).toBe('reverie embed backfill')
  expect(await fixOf(10)).toMatch(/^set `embedding.provider` to a model that accepts/)
})
