import type { Caller } from '../../kernel/auth/caller.ts'
import { pageEvents } from './list.ts'
import type { TelemetryRuntime } from './runtime.ts'
import type { TelemetryEvent } from './store/rows.ts'

const maxScannedEvents = 10_000

export type Stats = ReturnType<typeof toStats>

interface StatsRequest {
  readonly since?: string | undefined
  /** Also counts by hour. */
  readonly hours?: number | undefined
}

/** Summarizes the newest events; undefined while recording is off. */
export async function readStats(
  runtime: TelemetryRuntime,
  caller: Caller,
  { since, hours }: StatsRequest,
): Promise<(Stats & { readonly hours?: HourlyFigures[] }) | undefined> {
  if (!runtime.recorder.isOn()) return undefined
  const stats = toStats(await readNewest(runtime, caller, since))
  if (hours === undefined) return stats
  const starts = listHours(runtime.host.now(), hours)
  return { ...stats, hours: toHours(await readNewest(runtime, caller, starts[0]), starts) }
}

async function readNewest(
  runtime: TelemetryRuntime,
  caller: Caller,
  since: string | undefined,
): Promise<TelemetryEvent[]> {
  const events: TelemetryEvent[] = []
  const request = { since, limit: maxScannedEvents, order: 'desc' } as const
  for await (const page of pageEvents(runtime, caller, request)) events.push(...page)
  return events
}

const hourMs = 3_600_000

/** The starts of the last whole and current hours, ISO, oldest first. */
export function listHours(now: Date, hours: number): string[] {
  const current = Math.floor(now.getTime() / hourMs)
  return Array.from({ length: hours }, (_, index) =>
    new Date((current - hours + 1 + index) * hourMs).toISOString(),
  )
}

export interface HourlyFigures {
  readonly at: string
  readonly recalls: number
  readonly found: number
  readonly captures: number
}

export function toHours(
  events: readonly TelemetryEvent[],
  starts: readonly string[],
): HourlyFigures[] {
  const byHour = Map.groupBy(events, ({ timestamp }) => timestamp.slice(0, 13))
  return starts.map((at) => {
    const some = byHour.get(at.slice(0, 13)) ?? []
    const recalls = some.filter(({ event }) => event === 'recall.performed')
    const successfulRecalls = recalls.filter(
      ({ properties }) => toNumber(properties['results']) > 0,
    )
    const captures = some.filter(({ event }) => event === 'session.end')
    return {
      at,
      recalls: recalls.length,
      found: successfulRecalls.length,
      captures: captures.length,
    }
  })
}

const inferenceEvents = ['route', 'execute', 'stream', 'fallback'].map(
  (name) => `inference.${name}`,
)
const tokens = ['tokensInput', 'tokensOutput', 'tokensCacheRead', 'tokensCacheWrite'] as const

export function toStats(events: readonly TelemetryEvent[]) {
  const named = (...names: string[]) => events.filter(({ event }) => names.includes(event))
  const generations = named('llm.generate')
  const embeddings = named('pipeline.embedding')
  const passes = named('dreaming.pass')
  const ends = named('session.end')
  const recalls = named('recall.performed')
  const errors = named('pipeline.error')
  const inferences = named(...inferenceEvents)
  return {
    totalEvents: events.length,
    llm: {
      calls: generations.length,
      errors: generations.filter(hasFailed).length,
      totalInputTokens: sum(generations, 'inputTokens'),
      totalOutputTokens: sum(generations, 'outputTokens'),
      totalCost: sum(generations, 'totalCost'),
      ...quantiles(generations, 'durationMs'),
    },
    embedding: {
      calls: embeddings.length,
      totalTokens: sum(embeddings, 'tokens'),
      cost: sum(embeddings, 'cost'),
      bySource: group(embeddings, 'sourceKind').map(([source, some]) => ({
        source,
        tokens: sum(some, 'tokens'),
        cost: sum(some, 'cost'),
      })),
    },
    dreaming: { calls: passes.length, ...sumTokens(passes) },
    sessions: { ended: ends.length, ...sumTokens(ends) },
    inference: {
      routes: named('inference.route').length,
      executes: named('inference.execute').length,
      streams: named('inference.stream').length,
      errors: inferences.filter((one) => hasFailed(one) && !isCancelled(one)).length,
      cancelled: inferences.filter(isCancelled).length,
      fallbacks: named('inference.fallback').length,
      ...quantiles(inferences, 'durationMs'),
    },
    recall: {
      calls: recalls.length,
      ...quantiles(recalls, 'latencyMs'),
      byType: group(recalls, 'type').map(([type, some]) => ({ type, calls: some.length })),
    },
    pipelineErrors: errors.length,
    pipelineErrorsByStage: count(errors, 'stage'),
    pipelineErrorsByCode: count(errors, 'code'),
  }
}

function hasFailed({ properties }: TelemetryEvent): boolean {
  return properties['success'] === false
}

function isCancelled({ properties }: TelemetryEvent): boolean {
  return properties['cancelled'] === true
}

function sumTokens(events: readonly TelemetryEvent[]) {
  const sums = Object.fromEntries(tokens.map((name) => [name, sum(events, name)]))
  return { ...(sums as Record<(typeof tokens)[number], number>), cost: sum(events, 'cost') }
}

function sum(events: readonly TelemetryEvent[], name: string): number {
  return events.reduce((total, { properties }) => total + toNumber(properties[name]), 0)
}

function quantiles(events: readonly TelemetryEvent[], name: string) {
  const sorted = events
    .map(({ properties }) => toNumber(properties[name]))
    .toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
  return { p50: at(0.5), p95: at(0.95) }
}

/** Groups events by a text property; events without it are skipped. */
function group(events: readonly TelemetryEvent[], name: string) {
  const groups = Map.groupBy(events, ({ properties }) => properties[name])
  return [...groups].flatMap(([value, some]) =>
    typeof value === 'string' ? [[value, some] as const] : [],
  )
}

function count(events: readonly TelemetryEvent[], name: string): Record<string, number> {
  return Object.fromEntries(group(events, name).map(([value, some]) => [value, some.length]))
}

function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
