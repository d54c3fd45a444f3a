import type { Caller } from '../../kernel/auth/caller.ts'
import type { InferenceRecord } from './events.ts'

type HistoryEventName =
  | 'inference.route'
  | 'inference.execute'
  | 'inference.stream'
  | 'inference.fallback'

/** Recorded decisions and calls. The first member answers `GET /api/inference/history`. */
export interface InferenceHistory {
  /** Newest first, of those that the caller may see; undefined while recording is off. */
  list(caller: Caller, filter: HistoryFilter): Promise<readonly HistoryEvent[] | undefined>
}

interface HistoryFilter {
  readonly id?: string | undefined
  readonly event?: HistoryEventName | undefined
  /** ISO times. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Maximum number of events that are read. */
  readonly limit: number
}

export interface HistoryEvent {
  readonly id: string
  readonly event: string
  readonly timestamp: string
  readonly record: Partial<InferenceRecord>
}
