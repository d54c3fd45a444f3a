import { expect, test } from 'vitest'
import { createNullEngine } from '../../search/index.ts'
import { recallHealth } from './health.ts'

test.each([
  ['building', 'ok', []],
  ['ready', 'ok', []],
  ['failed', 'degraded', ['the search index has failed']],
] as const)('reports a search index in state %s as %s', async (state, status, reasons) => {
  const counts = { rows: 1, vectors: 2, revision: 3 }
  const engine = { ...createNullEngine(), health: () => ({ state, ...counts }) }

  const report = await recallHealth({ engine }).check()

  expect(report).toEqual({ status, reasons, details: { state, ...counts } })
})

test('reports a server without vector search', async () => {
  const health = { state: 'ready', rows: 1, vectors: 0, revision: 3 } as const
  const engine = {
    ...createNullEngine(),
    health: () => ({
      ...health,
      withoutVectors: 'no_vector_extension' as const,
      remedy: 'pgvector is 0.7.4: update it',
    }),
  }

  expect(await recallHealth({ engine }).check()).toMatchObject({
    status: 'degraded',
    reasons: ['vector search is off: pgvector is 0.7.4: update it'],
  })
})

test('reports an index that is too large for memory', async () => {
  const health = {
    state: 'ready',
    rows: 1,
    vectors: 1,
    revision: 3,
    oversized: 'no pgvector',
  } as const

  expect(
    await recallHealth({ engine: { ...createNullEngine(), health: () => health } }).check(),
  ).toMatchObject({
    status: 'degraded',
    reasons: ['the search index stays in memory: no pgvector'],
  })
})
