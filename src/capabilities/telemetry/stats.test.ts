import { expect, test } from 'vitest'
import { listHours, toHours, toStats } from './stats.ts'
import type { Properties } from './store/rows.ts'

const at = (event: string, properties: Properties = {}) => ({
  id: 'id',
  timestamp: '2026-01-02T03:04:05.000Z',
  event,
  properties,
})

test('returns all groups empty without events', () => {
  const spent = {
    tokensInput: 0,
    tokensOutput: 0,
    tokensCacheRead: 0,
    tokensCacheWrite: 0,
    cost: 0,
  }
  expect(toStats([])).toEqual({
    totalEvents: 0,
    llm: {
      calls: 0,
      errors: 0,
      totalInputTokens: 0,
      totalOutputTokens: 0,
      totalCost: 0,
      p50: 0,
      p95: 0,
    },
    embedding: { calls: 0, totalTokens: 0, cost: 0, bySource: [] },
    dreaming: { calls: 0, ...spent },
    sessions: { ended: 0, ...spent },
    inference: {
      routes: 0,
      executes: 0,
      streams: 0,
      errors: 0,
      cancelled: 0,
      fallbacks: 0,
      p50: 0,
      p95: 0,
    },
    recall: { calls: 0, p50: 0, p95: 0, byType: [] },
    pipelineErrors: 0,
    pipelineErrorsByStage: {},
    pipelineErrorsByCode: {},
  })
})

test('sums the events of each group', () => {
  const error = at('pipeline.error', { stage: 'embedding', code: 'EMBEDDING_TIMEOUT' })
  const stats = toStats([
    at('llm.generate', { inputTokens: 5, outputTokens: 2, durationMs: 10, success: true }),
    at('llm.generate', { inputTokens: 1, durationMs: 30, success: false, totalCost: 0.5 }),
    at('pipeline.embedding', { tokens: 4, cost: 1, sourceKind: 'memory' }),
    at('pipeline.embedding', { tokens: 3, cost: 1, sourceKind: 'memory' }),
    at('session.end', { tokensInput: 7, cost: 2 }),
    at('inference.route', { durationMs: 1, success: true }),
    at('inference.execute', { durationMs: 3, success: false, cancelled: true }),
    at('inference.fallback', { durationMs: 5, success: false }),
    error,
    error,
    at('unknown', { success: false }),
  ])

  expect(stats).toMatchObject({
    totalEvents: 11,
    llm: {
      calls: 2,
      errors: 1,
      totalInputTokens: 6,
      totalOutputTokens: 2,
      totalCost: 0.5,
      p50: 30,
    },
    embedding: { calls: 2, totalTokens: 7, bySource: [{ source: 'memory', tokens: 7, cost: 2 }] },
    sessions: { ended: 1, tokensInput: 7, tokensOutput: 0, cost: 2 },
    inference: { routes: 1, executes: 1, errors: 1, cancelled: 1, fallbacks: 1, p50: 3, p95: 5 },
    pipelineErrors: 2,
    pipelineErrorsByStage: { embedding: 2 },
    pipelineErrorsByCode: { EMBEDDING_TIMEOUT: 2 },
  })
})

test('counts recalls, those with a result and ended sessions of each hour', () => {
  const starts = listHours(new Date('2026-01-02T03:30:00.000Z'), 3)
  const earlier = {
    ...at('recall.performed', { results: 1 }),
    timestamp: '2026-01-02T01:59:59.999Z',
  }

  expect(
    toHours(
      [
        at('recall.performed', { results: 2 }),
        at('recall.performed', { results: 0 }),
        at('session.end'),
        earlier,
      ],
      starts,
    ),
  ).toEqual([
    { at: '2026-01-02T01:00:00.000Z', recalls: 1, found: 1, captures: 0 },
    { at: '2026-01-02T02:00:00.000Z', recalls: 0, found: 0, captures: 0 },
    { at: '2026-01-02T03:00:00.000Z', recalls: 2, found: 1, captures: 1 },
  ])
})
