import { Refusal } from '../../../kernel/errors/refusal.ts'
import { untilAborted } from '../../../kernel/host/with-timeout.ts'
import { RouterError } from '../decision/router-error.ts'
import type { TargetReply, Usage } from '../targets/target.ts'
import { type AttemptContext, openAttempt, toPlanOptions } from './attempt.ts'
import { type Deadline, endSentences } from './deadline.ts'
import { enter } from './enter.ts'
import { type Plan, plan } from './plan.ts'
import { type Recorded, recordCall } from './record.ts'
import type { Attempt, Routed, Router, RunRequest } from './router.ts'

export interface ExecuteResult extends Routed {
  readonly text: string
  readonly toolCalls: TargetReply['toolCalls']
  readonly finishReason: TargetReply['finishReason']
  /** Null if the provider reports nothing. */
  readonly usage: Usage | null
  /** The target that has answered. */
  readonly targetRef: string
}

/**
 * Calls the selected target, then its fallbacks, until one answers. Refuses `concurrency_limit`,
 * `inference_disabled`, `budget_exhausted` and `pipeline_paused`; throws a `RouterError`.
 */
export async function execute(router: Router, request: RunRequest): Promise<ExecuteResult> {
  const { surface, route } = request
  const startedAt = router.host.now().getTime()
  const progress: Progress = { attempts: [] }
  const record = (outcome: Partial<Recorded>) => {
    const { attempts, plan: planned, deadline } = progress
    const { decision, requirements } = planned ?? {}
    const { trace, targetRef: selectedTarget } = decision ?? {}
    const reason = outcome.error === undefined ? undefined : deadline?.reason()
    const known = { surface, request: route, startedAt, trace, selectedTarget, requirements }
    recordCall(router, 'execute', { ...known, attempts, reason, ...outcome })
  }
  try {
    const result = await run(router, request, progress)
    record({})
    return result
  } catch (error) {
    record({ error })
    throw error
  }
}

interface Progress {
  readonly attempts: Attempt[]
  plan?: Plan
  deadline?: Deadline
}

async function run(
  router: Router,
  request: RunRequest,
  progress: Progress,
): Promise<ExecuteResult> {
  const { deadline, leave } = enter(router, request, 'execute')
  progress.deadline = deadline
  try {
    const planned = await plan(router, request.route, toPlanOptions(request))
    progress.plan = planned
    progress.attempts.push(...planned.skipped)
    const context = { router, plan: planned, request, deadline }
    for (const ref of planned.refs) {
      const reply = await tryTarget(context, ref, progress.attempts)
      if (reply) return { ...reply, decision: planned.decision, attempts: progress.attempts }
      if (deadline.reason()) break
    }
    throw executionFailed(deadline, { decision: planned.decision, attempts: progress.attempts })
  } finally {
    leave()
  }
}

type Answered = Omit<ExecuteResult, 'decision' | 'attempts'>

async function tryTarget(
  context: AttemptContext,
  ref: string,
  attempts: Attempt[],
): Promise<Answered | undefined> {
  const opening = await openAttempt(context, ref)
  if (opening.status === 'failed') {
    attempts.push(opening.attempt)
    return undefined
  }
  const { target, call, succeed, fail } = opening.openAttempt
  const reply = await complete().catch((error: unknown) => ({ error }))
  if (!reply || 'error' in reply) {
    attempts.push(await fail(reply?.error))
    return undefined
  }
  const attempt = await succeed(reply.usage)
  attempts.push(attempt)
  const { text, toolCalls, finishReason } = reply
  return { text, toolCalls, finishReason, usage: attempt.usage ?? null, targetRef: ref }

  async function complete() {
    return await untilAborted(call.signal, target.complete(call))
  }
}

/** The refusal of a closed gate is passed on. */
export function executionFailed(deadline: Deadline, routed: Routed): Error {
  if (deadline.signal.reason instanceof Refusal) return deadline.signal.reason
  const reason = deadline.reason()
  const last = routed.attempts.at(-1)?.error ?? 'No target has answered.'
  const message = reason ? endSentences[reason] : last
  return new RouterError('execution-failed', message, { attempts: routed.attempts })
}
