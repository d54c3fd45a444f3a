import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { noEmbeddings } from '../../kernel/testing/no-embeddings.ts'
import { embeddingsNeeds, onEachEngine } from './embeddings.fixture.ts'
import type { Coverage } from './needs.ts'
import { readHealth } from './read-health.ts'
import { insertModel } from './store/models.ts'

const up = { provider: 'static', model: 'm', available: true, baseUrl: null, checkedAt: '' }
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

onEachEngine('the score falls with what is wrong, and the verdict with the score', async (db) => {
  const { needs, memories } = embeddingsNeeds(db)
  for (const [name, { up: available = true, coverage = all, missing = 0 }, score] of cases) {
    const port = {
      ...memories.port,
      countReadable: async () => coverage,
      countUnsettled: async () => missing,
      isKept: noEmbeddings.hasVector,
    }
    const runtime = { needs: { ...needs, memories: () => port } }
    const health = await readHealth(runtime, callerFor('ada'), { ...up, available })

    const verdict = score >= 0.8 ? 'healthy' : score >= 0.5 ? 'degraded' : 'unhealthy'
    expect({ ...health, checks: [] }, name).toMatchObject({ score, status: verdict })
  }
})

onEachEngine(
  'vectors of another model, or another length than is wanted, are stale',
  async (db) => {
    const { needs, memories, written } = embeddingsNeeds(db)
    const unlike = { countUnsettled: async () => 0, isKept: noEmbeddings.hasVector }
    const port = { ...memories.port, ...unlike, countReadable: async () => all }
    const read = async () => {
      const runtime = { needs: { ...needs, memories: () => port } }
      const { checks, ...health } = await readHealth(runtime, callerFor('ada'), up)
      return { ...health, wrong: checks.filter(({ status }) => status !== 'ok') }
    }
    const model = { dims: 3, quantisation: 'served', promptFormat: 'plain' }
    const begun = { seenRevision: 0, createdAt: '2026-01-02', promotedAt: null }
    const one = { ...model, ...begun, model: 'one', identity: 'one', state: 'active' } as const
    await insertModel(db, one)
    expect(await read()).toMatchObject({ score: 1, stale: 0, wrong: [] })

    written.config = { dimensions: 5 }
    const name = 'dimension-mismatch'
    expect(await read()).toMatchObject({
      ...{ score: 0.85, stale: 0, status: 'healthy' },
      wrong: [{ name, status: 'fail', message: 'kept with 3, configured with 5' }],
    })
    await insertModel(db, { ...one, model: 'two', identity: 'two', dims: 5, state: 'building' })
    expect(await read()).toMatchObject({
      ...{ score: 0.8, stale: 20 },
      wrong: [{ name }, { name: 'model-drift', status: 'warn', detail: { stale: 20 } }],
    })
  },
)
