import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { Trace } from '../decision/decide.ts'
import type { Requirements, RouteRequest } from '../decision/request.ts'
import { RouterError } from '../decision/router-error.ts'
import {
  type HistoryErrorCode,
  type InferenceRecord,
  inferenceExecuted,
  inferenceFellBack,
  inferenceStreamed,
} from '../events.ts'
import type { EndReason } from './deadline.ts'
import type { Attempt, Router } from './router.ts'

export interface Recorded {
  readonly surface: InferenceRecord['surface']
  readonly request: RouteRequest
  readonly startedAt: number
  readonly trace?: Trace | undefined
  readonly selectedTarget?: string | undefined
  readonly requirements?: Requirements | undefined
  readonly attempts?: readonly Attempt[]
  /** Why the call ended before its reply. */
  readonly reason?: EndReason | undefined
  /** What the call has thrown. */
  readonly error?: unknown
}

/** Emits how a call ended. */
export function recordCall(
  { events, host }: Pick<Router, 'events' | 'host'>,
  kind: 'execute' | 'stream',
  recorded: Recorded,
): void {
  const record = toRecord(recorded, host.now().getTime())
  events.emit(kind === 'execute' ? inferenceExecuted : inferenceStreamed, record)
  if (record.failedCount > 0) events.emit(inferenceFellBack, record)
}

export function toRecord(recorded: Recorded, now: number): InferenceRecord {
  const { surface, request, startedAt, requirements, attempts = [], reason } = recorded
  const trace = recorded.trace ?? findTrace(recorded.error)
  const candidates = trace?.candidates ?? []
  const failed = attempts.filter(({ ok }) => !ok)
  const last = attempts.at(-1)
  const errorCode = toErrorCode(recorded)
  return {
    surface,
    agentId: request.agentId,
    operation: request.operation,
    taskClass: trace?.classification.taskClass ?? null,
    policyId: trace?.policyId ?? null,
    privacy: requirements?.privacy ?? request.privacy ?? null,
    selectedTarget: recorded.selectedTarget ?? null,
    finalTarget: last?.ok ? last.targetRef : null,
    attemptPath: attempts.map(({ targetRef }) => targetRef).join(' -> '),
    failedTargets: failed.map(({ targetRef }) => targetRef).join(','),
    attemptCount: attempts.length,
    failedCount: failed.length,
    fallbackCount: Math.max(0, attempts.length - 1),
    candidateCount: candidates.length,
    blockedCount: candidates.filter(({ allowed }) => !allowed).length,
    allowedCount: candidates.filter(({ allowed }) => allowed).length,
    errorCode,
    durationMs: now - startedAt,
    inputTokens: last?.usage?.inputTokens ?? null,
    outputTokens: last?.usage?.outputTokens ?? null,
    success: errorCode === null,
    cancelled: reason === 'cancelled',
  }
}

function toErrorCode({ reason, error, attempts = [] }: Recorded): HistoryErrorCode | null {
  if (reason) return reason === 'timeout' ? 'TIMEOUT' : 'CANCELLED'
  if (error === undefined) return null
  if (error instanceof Refusal) return refusalCodes[error.code] ?? 'ERROR'
  if (!(error instanceof RouterError)) return 'UNKNOWN'
  if (error.code === 'execution-failed') return toAttemptCode(attempts.at(-1))
  return error.code === 'no-candidates' ? 'NO_CANDIDATES' : 'INVALID_CONFIG'
}

const refusalCodes: Readonly<Record<string, HistoryErrorCode>> = {
  concurrency_limit: 'CONCURRENCY_LIMIT',
  budget_exhausted: 'RATE_LIMITED',
}

function toAttemptCode(last: Attempt | undefined): HistoryErrorCode {
  const text = last?.error ?? ''
  if (/status (402|429)|rate_limited/.test(text)) return 'RATE_LIMITED'
  if (/status (401|403)|account:/.test(text)) return 'AUTH'
  return /timeout/.test(text) ? 'TIMEOUT' : 'ERROR'
}

function findTrace(error: unknown): Trace | undefined {
  return error instanceof RouterError ? (error.details['trace'] as Trace | undefined) : undefined
}
