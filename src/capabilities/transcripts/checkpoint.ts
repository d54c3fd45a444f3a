import type { CleanText } from '../../kernel/redaction/clean-text.ts'
import type { SessionRef } from './transcript.ts'

export type CheckpointTrigger = 'periodic' | 'pre_compaction' | 'session_end' | 'agent' | 'explicit'

/** What a session was at when its window was closed. Lists are JSON text. */
export interface Checkpoint extends SessionRef {
  readonly id: string
  readonly harness: string
  readonly project: string | null
  /** The real path of the project, where there is one. */
  readonly projectNormalized: string | null
  readonly triggerKind: CheckpointTrigger
  readonly digest: CleanText
  readonly promptCount: number
  readonly memoryQueries: string | null
  readonly recentRemembers: string | null
  readonly focalEntityIds: string | null
  readonly focalEntityNames: string | null
  readonly activeAspectIds: string | null
  readonly surfacedConstraintCount: number | null
  readonly traversalMemoryCount: number | null
  readonly createdAt: string
}
