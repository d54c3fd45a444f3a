import { defineEvent } from '../../kernel/events/events.ts'
import type { Operation, PrivacyTier } from './config/entries.ts'

/** The codes of the history. */
export type HistoryErrorCode =
  | 'TIMEOUT'
  | 'CANCELLED'
  | 'CONCURRENCY_LIMIT'
  | 'RATE_LIMITED'
  | 'AUTH'
  | 'INVALID_CONFIG'
  | 'NO_CANDIDATES'
  | 'UNKNOWN'
  | 'ERROR'

/** One decision or call. Contains no prompt, no reply and no credential. */
export interface InferenceRecord {
  readonly surface: 'native' | 'gateway'
  readonly agentId: string
  readonly operation: Operation
  readonly taskClass: string | null
  readonly policyId: string | null
  readonly privacy: PrivacyTier | null
  readonly selectedTarget: string | null
  readonly finalTarget: string | null
  /** `a -> b` */
  readonly attemptPath: string
  /** `a,b` */
  readonly failedTargets: string
  readonly attemptCount: number
  readonly failedCount: number
  readonly fallbackCount: number
  readonly candidateCount: number
  readonly blockedCount: number
  readonly allowedCount: number
  readonly errorCode: HistoryErrorCode | null
  readonly durationMs: number
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly success: boolean
  readonly cancelled: boolean
}

export const inferenceRouted = defineEvent<InferenceRecord>('inference.route')
export const inferenceExecuted = defineEvent<InferenceRecord>('inference.execute')
export const inferenceStreamed = defineEvent<InferenceRecord>('inference.stream')
/** In addition to the one before, when a target has failed. */
export const inferenceFellBack = defineEvent<InferenceRecord>('inference.fallback')
