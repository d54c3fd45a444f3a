import type { Caller } from '../../kernel/auth/caller.ts'
import type { ExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { HistoryEvent, InferenceHistory } from './ports.ts'
import type { HistoryQuery } from './schemas.ts'

const maxScanned = 5_000
const scanFactor = 10

type Histories = Pick<ExtensionPoint<InferenceHistory>, 'list'>

export async function readHistory(histories: Histories, caller: Caller, query: HistoryQuery) {
  const { limit, failures, problems, ...filter } = query
  const onlyFailures = failures === true || problems === true
  const [history] = histories.list()
  const scanned = onlyFailures ? Math.min(limit * scanFactor, maxScanned) : limit
  const recorded = await history?.list(caller, { ...filter, limit: scanned })
  if (!recorded) return { enabled: false, events: [], summary: summarize([]) }
  const events = recorded.filter((event) => !onlyFailures || isProblem(event)).slice(0, limit)
  return { enabled: true, events: events.map(toRow), summary: summarize(events) }
}

function isProblem(event: HistoryEvent): boolean {
  return hasFailed(event) || isFallback(event) || event.record.cancelled === true
}

function hasFailed({ record }: HistoryEvent): boolean {
  return record.success === false
}

function isFallback({ event }: HistoryEvent): boolean {
  return event === 'inference.fallback'
}

function toRow({ id, event, timestamp, record }: HistoryEvent) {
  return { id, event, timestamp, surface: 'native', ...record }
}

function summarize(events: readonly HistoryEvent[]) {
  return {
    total: events.length,
    failures: events.filter(hasFailed).length,
    fallbacks: events.filter(isFallback).length,
    cancelled: events.filter(({ record }) => record.cancelled === true).length,
  }
}
