import type { RepairTotals } from '../../kernel/capability/repair.ts'
import type { Host } from '../../kernel/host/host.ts'
import { Reply } from '../../kernel/http/route.ts'
import { type RepairName, repairs } from './actions.ts'
import type { Denial } from './limiter.ts'
import { type RepairRun, toTotals } from './repair-run.ts'
import type { RepairResult } from './run-repair.ts'

interface Result {
  readonly action: string
  readonly success: boolean
  readonly affected: number
  readonly message: string
  readonly details?: Record<string, unknown>
  readonly runId?: string
}

interface Ended {
  readonly result: RepairResult
  /** The fields of one route, after those of every result. */
  toExtras(totals: RepairTotals): object
}

/** 200 for a success, 429 for a denial and 500 for a failure, each with the result. */
export function toReply(
  host: Pick<Host, 'now'>,
  name: RepairName,
  { result, toExtras }: Ended,
): Reply<never> {
  const { action } = repairs[name]
  if (result.status === 'denied') return toDenied(host, action, result.denial)
  if (result.status === 'preview') {
    const { progress, message } = result
    const totals = toTotals(progress, true)
    const reply = { action, success: true, affected: progress.affected, message }
    return new Reply(200, withDetails({ ...reply, ...toExtras(totals) }, totals, true) as never)
  }
  const { run } = result
  const totals = toTotals(run, false)
  const isFailed = run.state === 'failed'
  const { affected, message, id: runId } = run
  const reply = { action, success: !isFailed, affected, message, ...toExtras(totals), runId }
  const failure = isFailed && { error: message }
  return new Reply(isFailed ? 500 : 200, {
    ...withDetails(reply, totals, run.position === null),
    ...failure,
  } as never)
}

function withDetails(
  reply: Result,
  { counts, details }: RepairTotals,
  isComplete: boolean,
): Result {
  const all = { ...counts, ...details, ...(!isComplete && { isComplete }) }
  return Object.keys(all).length === 0 ? reply : { ...reply, details: all }
}

function toDenied(
  host: Pick<Host, 'now'>,
  action: string,
  { code, message, retryAt }: Denial,
): Reply<never> {
  const body = { action, success: false, affected: 0, message, error: message, code }
  return new Reply(429, { ...body, retryAfter: retryAt } as never, {
    'retry-after': String(Math.max(1, Math.ceil((retryAt - host.now().getTime()) / 1000))),
  })
}

export function toRunReply({ action: name, actor, counts, details, position, ...run }: RepairRun) {
  const { agentId, name: actorName, reason, requestId, type: actorType } = actor
  const { id, state, affected, message, startedAt, updatedAt, endedAt } = run
  return {
    id,
    name,
    action: repairs[name].action,
    state,
    affected,
    message,
    details: { ...counts, ...details },
    isComplete: position === null,
    actor: actorName,
    actorType,
    reason,
    requestId,
    agentId,
    startedAt,
    updatedAt,
    endedAt,
  }
}
