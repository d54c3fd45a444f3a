import type { HistoryEvent, InferenceHistory } from '../inference/index.ts'
import { pageEvents } from './list.ts'
import type { TelemetryRuntime } from './runtime.ts'
import type { EventRow } from './store/events.ts'

const names = ['inference.route', 'inference.execute', 'inference.stream', 'inference.fallback']
/** Other events may stand between those of models. */
const maxScanned = 10_000

/** Model calls among the recorded events, newest first. */
export function createInferenceHistory(runtime: TelemetryRuntime): InferenceHistory {
  return {
    list: async (caller, { limit, ...filter }) => {
      if (!runtime.recorder.isOn()) return undefined
      const isNarrow = filter.event !== undefined || filter.id !== undefined
      const scanned = isNarrow ? limit : maxScanned
      const request = { ...filter, limit: scanned, order: 'desc' } as const
      const listed: HistoryEvent[] = []
      for await (const page of pageEvents(runtime, caller, request)) {
        listed.push(...page.filter(({ event }) => names.includes(event)).map(toHistoryEvent))
        if (listed.length >= limit) break
      }
      return listed.slice(0, limit)
    },
  }
}

function toHistoryEvent(row: EventRow): HistoryEvent {
  const { id, event, timestamp, agentId, properties } = row
  return { id, event, timestamp, record: { ...properties, agentId } }
}
