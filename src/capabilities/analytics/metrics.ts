import { type Metric, type Sample, toHistogram, writeMetrics } from './exposition.ts'
import type { AnalyticsNeeds } from './needs.ts'
import type { createTraffic } from './traffic.ts'

type Traffic = ReturnType<typeof createTraffic>
type Domains = ReadonlyMap<string, Readonly<Record<string, unknown>>>
type Gather = (needs: AnalyticsNeeds, domains: Domains) => readonly Metric[]

/** The figures of the whole service, for a program that collects them. */
export async function readMetrics(needs: AnalyticsNeeds, traffic: Traffic): Promise<string> {
  const [{ domains }, counts] = await Promise.all([needs.report(), needs.jobs.counts()])
  const states = ['pending', 'leased', 'completed', 'failed', 'dead', 'cancelled'] as const
  const jobs = states.map((state) => ({ labels: { state }, value: counts[state] }))
  return writeMetrics([
    ...toTraffic(traffic),
    gauge('svc_queue_jobs', 'Jobs by state.', jobs),
    ...toStorage(needs, domains),
    ...toOperations(needs, domains),
    ...toProcess(needs, domains),
  ])
}

function toTraffic(traffic: Traffic): readonly Metric[] {
  const requests = traffic.requests().map(({ operation, status, count }) => ({
    labels: { operation, status },
    value: count,
  }))
  const durations = [...traffic.durations()].flatMap(([operation, histogram]) =>
    toHistogram(histogram, { operation }),
  )
  const histogram = (name: string, help: string, samples: readonly Sample[]): Metric => ({
    name,
    help,
    type: 'histogram',
    samples,
  })
  return [
    counter('svc_http_requests_total', 'Requests by operation and status.', requests),
    histogram('svc_http_request_duration_seconds', 'Duration of requests.', durations),
    histogram(
      'svc_recall_duration_seconds',
      'Duration of searches.',
      toHistogram(traffic.durationsOf('recall')),
    ),
    histogram(
      'svc_remember_duration_seconds',
      'Duration of writes of new memories.',
      toHistogram(traffic.durationsOf('remember')),
    ),
  ]
}

const toStorage: Gather = (_needs, domains) => {
  const read = (domain: string, field: string) => readNumber(domains.get(domain)?.[field])
  const total = read('storage', 'totalMemories')
  const deleted = read('storage', 'deletedTombstones')
  const memories = [
    { labels: { state: 'live' }, value: Math.max(0, total - deleted) },
    { labels: { state: 'deleted' }, value: deleted },
  ]
  const coverage = read('index', 'embeddingCoverage')
  return [
    gauge('svc_memories', 'Stored memories by state.', memories),
    gauge('svc_embedding_coverage_ratio', 'Share of memories with a vector.', [
      { value: coverage },
    ]),
    gauge('svc_database_bytes', 'Size of the database.', [
      { value: read('storage', 'dbSizeBytes') },
    ]),
  ]
}

const toOperations: Gather = ({ gate, gitFailures, providerCalls }, domains) => {
  const calls = [...providerCalls.totals()].flatMap(([provider, { calls, failures }]) => [
    { labels: { provider, outcome: 'success' }, value: calls - failures },
    { labels: { provider, outcome: 'failure' }, value: failures },
  ])
  const scores = [...domains].flatMap(([domain, { score }]) =>
    typeof score === 'number' ? [{ labels: { domain }, value: score }] : [],
  )
  return [
    counter('svc_provider_calls_total', 'Calls of model providers.', calls),
    gauge('svc_domain_score', 'Score of each domain, from 0 to 1.', scores),
    gauge('svc_pipeline_paused', '1 while background work is paused.', [
      { value: gate.isOpen() ? 0 : 1 },
    ]),
    counter('svc_git_sync_failures_total', 'Failed syncs with the remote repository.', [
      { value: gitFailures() },
    ]),
  ]
}

const toProcess: Gather = ({ loop, self: { engine, version } }) => {
  const { p50Ms, p99Ms, maxMs } = loop.read()
  const delays = [
    { labels: { quantile: '0.5' }, value: p50Ms / 1000 },
    { labels: { quantile: '0.99' }, value: p99Ms / 1000 },
    { labels: { quantile: '1' }, value: maxMs / 1000 },
  ]
  return [
    gauge('svc_event_loop_delay_seconds', 'Delay of the event loop in the last minute.', delays),
    gauge('svc_resident_memory_bytes', 'Resident memory of the process.', [
      { value: process.memoryUsage.rss() },
    ]),
    gauge('svc_build_info', 'The running version.', [{ labels: { version, engine }, value: 1 }]),
  ]
}

function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, type: 'gauge', samples }
}

function counter(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, type: 'counter', samples }
}

/** A late domain has no figures yet. */
function readNumber(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
