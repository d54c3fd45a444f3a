import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { Scope } from '../../kernel/auth/caller.ts'
import { createEvents } from '../../kernel/events/events.ts'
import { pipelineFailed } from '../../kernel/events/pipeline-failure.ts'
import { createProviderCalls } from '../../kernel/health/provider-calls.ts'
import type { Replied } from '../../kernel/http/replies.ts'
import type { Route } from '../../kernel/http/route.ts'
import { Stream } from '../../kernel/http/stream.ts'
import { jobEnded } from '../../kernel/jobs/run-job.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { parseExposition } from '../../kernel/testing/parse-exposition.ts'
import { connectorSynced } from '../connectors/index.ts'
import { createAnalytics } from './index.ts'

const noJobs = { pending: 2, leased: 0, completed: 0, failed: 0, dead: 0, cancelled: 0 }
const domains = new Map<string, Record<string, unknown>>([
  ['storage', { score: 0.7, totalMemories: 5, deletedTombstones: 2, dbSizeBytes: 4096 }],
  ['index', { score: 1, embeddingCoverage: 0.5 }],
  ['mutation', { score: 1, recentRecovers: 0 }],
  ['openclaw', { status: 'never-seen' }],
])

function analytics() {
  const host = fixedHost()
  const events = createEvents((error) => {
    throw error
  })
  const providerCalls = createProviderCalls()
  const { onReply, routes } = createAnalytics({
    host,
    events,
    jobs: { counts: async () => noJobs as never },
    gate: { isOpen: () => false },
    loop: { read: () => ({ p50Ms: 1, p99Ms: 20, maxMs: 30, slowest: null }) },
    providerCalls,
    self: { version: '1.2.3', engine: 'sqlite', startedAt: host.now() },
    report: async () => ({ domains }),
    gitFailures: () => 3,
  })
  const read = async (name: string, scope: Scope = {}, query: object = { limit: 50 }) => {
    const found = routes.find((route) => route.name === `analytics.${name}`)
    const reply = await found?.handle({ caller: { ...callerFor('ada'), scope }, query } as never)
    if (reply instanceof Stream) return String(await buffer(reply.chunks))
    return reply
  }
  return { events, onReply, providerCalls, read }
}

const route = (name: string, method: Route['method'], path: string) =>
  ({ name, method, path }) as unknown as Route
const remember = route('memory.remember', 'POST', '/api/memory/remember')
const forget = route('memory.forget', 'POST', '/api/memory/forget')

function replied(agent: string, more: Partial<Replied> = {}): Replied {
  const caller = callerFor(agent)
  return { route: remember, status: 200, ms: 4, caller, isInvoked: false, ...more }
}

test('counts replies by operation and author, and shows an agent scope its own alone', async () => {
  const { onReply, read } = analytics()
  onReply(replied('ada'))
  onReply(replied('ada', { status: 400 }))
  onReply(replied('ada', { isInvoked: true }))
  onReply(replied('bob', { route: forget, ms: 10 }))
  onReply({ route: undefined, status: 404, ms: 1, caller: undefined, isInvoked: false })

  expect(await read('usage')).toMatchObject({
    endpoints: {
      'POST /api/memory/remember': { count: 3, errors: 1, totalLatencyMs: 12 },
      'POST /api/memory/forget': { count: 1, errors: 0, totalLatencyMs: 10 },
      unmatched: { count: 1, errors: 1 },
    },
    actors: {
      ada: { requests: 2, remembers: 2, recalls: 0, mutations: 0 },
      bob: { requests: 1, remembers: 0, recalls: 0, mutations: 1 },
    },
  })
  expect(await read('usage', { agent: 'bob' })).toMatchObject({
    endpoints: { 'POST /api/memory/forget': { count: 1, errors: 0, totalLatencyMs: 10 } },
    actors: { bob: { requests: 1, remembers: 0, recalls: 0, mutations: 1 } },
    providers: {},
  })
  expect(Object.keys(Object(await read('usage', { agent: 'bob' })).endpoints)).toHaveLength(1)
  expect(await read('usage', { project: 'p' })).toMatchObject({ endpoints: {}, actors: {} })
})

test('bounds its maps and shows no credential in the name of an author', async () => {
  const { onReply, read } = analytics()
  const secret = `ghp_${'a1B2'.repeat(9)}`
  onReply(replied('ada', { caller: { ...callerFor('ada'), name: `bot ${secret}` } }))
  for (let index = 0; index < 1_000; index += 1)
    onReply(replied(`agent-${index}`, { caller: callerFor(`agent-${index}`) }))

  const { actors } = Object(await read('usage'))
  expect(Object.keys(actors).length).toBeLessThanOrEqual(501)
  expect(actors.other.requests).toBe(501)
  expect(JSON.stringify(actors)).not.toContain(secret)
})

test('counts syncs and model calls', async () => {
  const { events, providerCalls, read } = analytics()
  const sync = { id: 'c1', agentId: 'ada', failure: null, documents: 3 }
  events.emit(connectorSynced, sync)
  events.emit(connectorSynced, { ...sync, failure: 'auth', documents: 0 })
  providerCalls.add({ provider: 'ollama', outcome: 'timeout', durationMs: 9 })
  await Promise.resolve()

  expect(await read('usage')).toMatchObject({
    connectors: { c1: { syncs: 2, errors: 1, documentsProcessed: 3 } },
    providers: { ollama: { calls: 1, failures: 1, totalLatencyMs: 9 } },
  })
  expect(await read('usage', { agent: 'bob' })).toMatchObject({ connectors: {}, providers: {} })
})

test('summarizes the last 1,000 durations of each kind', async () => {
  const { events, onReply, read } = analytics()
  expect(await read('latency')).toMatchObject({
    jobs: { p50: 0, p95: 0, p99: 0, count: 0, mean: 0 },
  })
  for (let ms = 1; ms <= 1_100; ms += 1) onReply(replied('ada', { ms }))
  events.emit(jobEnded, { kind: 'document.ingest', agentId: 'bob', ms: 7 })
  await Promise.resolve()

  expect(await read('latency')).toMatchObject({
    remember: { p50: 601, p95: 1051, p99: 1091, count: 1_000, mean: 600.5 },
    jobs: { p50: 7, count: 1 },
  })
  expect(await read('latency', { agent: 'bob' })).toMatchObject({
    remember: { count: 0 },
    jobs: { count: 1 },
  })
})

test('lists failures newest first, with a fixed sentence for each code', async () => {
  const { events, onReply, read } = analytics()
  onReply(replied('ada', { route: forget, status: 409 }))
  onReply(replied('bob', { route: forget, status: 403 }))
  events.emit(pipelineFailed, { code: 'EMBEDDING_TIMEOUT', agentId: null })
  await Promise.resolve()

  expect(await read('errors')).toMatchObject({
    errors: [
      { stage: 'embedding', code: 'EMBEDDING_TIMEOUT' },
      { stage: 'mutation', code: 'MUTATION_SCOPE_DENIED', actor: 'bob' },
      {
        code: 'MUTATION_CONFLICT',
        requestId: 'request-1',
        message: expect.stringContaining('has'),
      },
    ],
    summary: { total: 3, byStage: { embedding: 1, mutation: 2 } },
  })
  expect(await read('errors', { agent: 'bob' })).toMatchObject({ summary: { total: 1 } })
  expect(await read('errors', {}, { stage: 'embedding', limit: 50 })).toMatchObject({
    summary: { total: 1 },
  })
  expect(await read('memory-safety')).toMatchObject({
    mutation: { recentRecovers: 0 },
    errorSummary: { total: 2 },
  })
})

test('writes metrics of the text format, with as many series after 10,000 unknown paths', async () => {
  const { onReply, providerCalls, read } = analytics()
  providerCalls.add({ provider: 'a"b\\c', outcome: 'success', durationMs: 1 })
  const visit = () =>
    onReply({ route: undefined, status: 404, ms: 0.4, caller: undefined, isInvoked: false })
  visit()
  onReply(replied('ada', { ms: 30 }))
  onReply(replied('ada', { ms: 20_000 }))
  const lines = String(await read('metrics')).split('\n')
  for (let index = 0; index < 10_000; index += 1) visit()
  const later = String(await read('metrics')).split('\n')

  expect(later.length).toBe(lines.length)
  expect(parseExposition(lines.join('\n')).get('svc_remember_duration_seconds')).toMatchObject({
    type: 'histogram',
    help: 'Duration of writes of new memories.',
  })
  expect(lines).toEqual(
    expect.arrayContaining([
      'svc_http_requests_total{operation="memory.remember",status="200"} 2',
      'svc_http_request_duration_seconds_bucket{operation="memory.remember",le="0.025"} 0',
      'svc_http_request_duration_seconds_bucket{operation="memory.remember",le="0.05"} 1',
      'svc_http_request_duration_seconds_bucket{operation="memory.remember",le="+Inf"} 2',
      'svc_remember_duration_seconds_count 2',
      'svc_queue_jobs{state="pending"} 2',
      'svc_memories{state="live"} 3',
      'svc_embedding_coverage_ratio 0.5',
      'svc_event_loop_delay_seconds{quantile="0.99"} 0.02',
      'svc_database_bytes 4096',
      'svc_provider_calls_total{provider="a\\"b\\\\c",outcome="success"} 1',
      'svc_domain_score{domain="storage"} 0.7',
      'svc_pipeline_paused 1',
      'svc_git_sync_failures_total 3',
      'svc_build_info{version="1.2.3",engine="sqlite"} 1',
    ]),
  )
})

test.each([
  ['svc_a 1\n', 'a sample of a metric'],
  ['# HELP svc_a A.\n# TYPE svc_a gauge\nsvc_a{b="c"d"} 1\n', 'a sample of a metric'],
  ['# HELP svc_a A.\n# TYPE svc_a gauge\nsvc_a 1\nsvc_a 2\n', 'comes once'],
  ['# HELP svc_a A.\n# TYPE svc_a counter\nsvc_a 1\n', 'ends in _total'],
  ['# HELP svc_a A.\n# TYPE svc_a histogram\nsvc_a_bucket{le="1"} 1\n', '+Inf'],
  ['# HELP svc_a A.\n# TYPE svc_b gauge\n', 'TYPE follows HELP'],
])('the parser refuses %j', (text, rule) => {
  expect(() => parseExposition(text)).toThrow(rule)
})
