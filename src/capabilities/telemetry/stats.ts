import type { Caller } from '../../kernel/auth/caller.ts'
import type { TelemetryEvent } from './event.ts'
import { pageEvents } from './list-events.ts'
import type { TelemetryRuntime } from './runtime.ts'

const mostScanned = 10_000

export type Stats = ReturnType<typeof toStats>

/** What the newest events come to; undefined while nothing is recorded. */
export async function readStats(
  runtime: TelemetryRuntime,
  caller: Caller,
  { since }: { readonly since?: string | undefined },
): Promise<Stats | undefined> {
  if (!runtime.recorder.isOn()) return undefined
  const events: TelemetryEvent[] = []
  const request = { since, limit: mostScanned, order: 'desc' } as const
  for await (const page of pageEvents(runtime, caller, request)) events.push(...page)
  return toStats(events)
}

const inferred = ['route', 'execute', 'stream', 'fallback'].map((name) => `inference.${name}`)
const tokens = ['tokensInput', 'tokensOutput', 'tokensCacheRead', 'tokensCacheWrite'] as const

export function toStats(events: readonly TelemetryEvent[]) {
  const of = (...names: string[]) => events.filter(({ event }) => names.includes(event))
  const generated = of('llm.generate')
  const embedded = of('pipeline.embedding')
  const dreamed = of('dreaming.pass')
  const ended = of('session.end')
  const recalled = of('recall.performed')
  const errors = of('pipeline.error')
  const inferences = of(...inferred)
  return {
    totalEvents: events.length,
    llm: {
      ...{ calls: generated.length, errors: generated.filter(hasFailed).length },
      totalInputTokens: sum(generated, 'inputTokens'),
      totalOutputTokens: sum(generated, 'outputTokens'),
      totalCost: sum(generated, 'totalCost'),
      ...quantiles(generated, 'durationMs'),
    },
    embedding: {
      ...{ calls: embedded.length, totalTokens: sum(embedded, 'tokens') },
      cost: sum(embedded, 'cost'),
      bySource: group(embedded, 'sourceKind').map(([source, some]) => ({
        ...{ source, tokens: sum(some, 'tokens'), cost: sum(some, 'cost') },
      })),
    },
    dreaming: { calls: dreamed.length, ...spent(dreamed) },
    sessions: { ended: ended.length, ...spent(ended) },
    inference: {
      routes: of('inference.route').length,
      executes: of('inference.execute').length,
      streams: of('inference.stream').length,
      errors: inferences.filter((one) => hasFailed(one) && !isCancelled(one)).length,
      cancelled: inferences.filter(isCancelled).length,
      fallbacks: of('inference.fallback').length,
      ...quantiles(inferences, 'durationMs'),
    },
    recall: {
      ...{ calls: recalled.length, ...quantiles(recalled, 'latencyMs') },
      byType: group(recalled, 'type').map(([type, some]) => ({ type, calls: some.length })),
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

function spent(events: readonly TelemetryEvent[]) {
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

/** By the text of this property; those without one are in no group. */
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
