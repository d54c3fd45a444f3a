import { expect, test } from 'vitest'
import { createNullEngine, type EngineQuery } from './engine.ts'

const query: EngineQuery = {
  text: 'where is it?',
  readScope: { agentId: 'a', policy: 'isolated', groupAgents: [], project: null },
  filters: { scope: null },
  limit: 10,
  now: '2026-01-02T03:04:05.000Z',
}

test('the null engine answers without an index', async () => {
  const engine = createNullEngine()

  engine.changed()

  const nothing = { candidates: [], degraded: 'no_index', timings: [] }
  expect(await engine.search(query)).toEqual(nothing)
  expect(await engine.similar({ ...query, id: 'one', identity: 'static' })).toEqual(nothing)
  expect(engine.health().state).toBe('absent')
  await engine.close()
})
