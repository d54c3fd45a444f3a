import type { Settle } from '../budgets/budget-guard.ts'
import type { TargetModel } from '../config/config.ts'
import { RouterError } from '../decision/router-error.ts'
import {
  type ModelMessage,
  type Target,
  type TargetCall,
  TargetError,
  type Usage,
} from '../targets/target.ts'
import { type Deadline, endSentences } from './deadline.ts'
import type { Plan, PlanOptions } from './plan.ts'
import { describeError } from './redact-error.ts'
import type { Attempt, Router, RunRequest } from './router.ts'
import { missingCredential } from './targets.ts'

export interface AttemptContext {
  readonly router: Router
  readonly plan: Plan
  readonly request: RunRequest
  readonly deadline: Deadline
}

/** A target that is being called. Exactly one of `succeed` and `fail` ends it. */
export interface OpenAttempt {
  readonly target: Target
  readonly call: TargetCall
  succeed(usage: Usage): Promise<Attempt>
  /** `hasReply` is true once a part of the reply was received, so that it may cost something. */
  fail(error: unknown, hasReply?: boolean): Promise<Attempt>
}

type Opening =
  | { readonly status: 'open'; readonly openAttempt: OpenAttempt }
  | { readonly status: 'failed'; readonly attempt: Attempt }

interface Running {
  readonly model: TargetModel
  readonly settle: Settle
  readonly startedAt: number
  readonly credentials: readonly string[]
}

/** Reserves the budgets of one attempt and prepares its target. */
export async function openAttempt(context: AttemptContext, ref: string): Promise<Opening> {
  const { router, plan, request, deadline } = context
  const model = plan.config.models.get(ref)
  if (!model) throw new RouterError('target-not-found', `There is no target ${ref}.`)
  const { limits } = plan.config
  const { prompt, route } = request
  const startedAt = router.host.now().getTime()
  const reserved = await router.budgets.reserve({
    config: plan.config,
    model,
    request: route,
    taskClass: plan.decision.taskClass,
    promptChars: toPromptText(prompt.messages).length,
    maxTokens: prompt.maxTokens,
  })
  if (reserved.status === 'exhausted') {
    const error = `The budget ${reserved.budgetIds.join(', ')} is used up.`
    return { status: 'failed', attempt: { targetRef: ref, ok: false, durationMs: 0, error } }
  }
  const running = { model, settle: reserved.settle, startedAt, credentials: [] as string[] }
  try {
    const { target, credentials } = await router.targets.prepare(plan.config, model.target)
    running.credentials.push(...credentials)
    const { contextWindow, model: name } = model.model
    const { agentId } = route
    const { signal } = deadline
    const call = { ...prompt, model: name, contextWindow, agentId, signal, limits }
    router.states.begin(model.target)
    const opened = {
      target,
      call,
      succeed: (usage: Usage) => succeed(context, running, usage),
      fail: (error: unknown, hasReply?: boolean) => fail(context, running, { error, hasReply }),
    }
    return { status: 'open', openAttempt: opened }
  } catch (error) {
    if (isMissingCredential(error)) router.states.credentialMissing(model.target)
    return { status: 'failed', attempt: await fail(context, running, { error, hasReply: false }) }
  }
}

async function succeed(
  { router }: AttemptContext,
  { model, settle, startedAt }: Running,
  usage: Usage,
): Promise<Attempt> {
  router.states.succeeded(model.target)
  addProviderCall(router, { model, startedAt }, 'success')
  const settled = await settle({ ok: true, usage })
  const durationMs = router.host.now().getTime() - startedAt
  return { targetRef: model.ref, ok: true, durationMs, ...(settled && { usage: settled }) }
}

interface Failure {
  readonly error: unknown
  readonly hasReply: boolean | undefined
}

async function fail(
  { router, request, deadline }: AttemptContext,
  { model, settle, startedAt, credentials }: Running,
  { error, hasReply = false }: Failure,
): Promise<Attempt> {
  const failure = toTargetError(router, error, deadline)
  observe(router, { model, startedAt }, failure)
  const mayCost = hasReply || ['timeout', 'aborted', 'invalid_reply'].includes(failure.kind)
  await settle({ ok: false, usage: mayCost ? 'estimate' : 'nothing' })
  const prompt = toPromptText(request.prompt.messages)
  const durationMs = router.host.now().getTime() - startedAt
  const reason = deadline.reason()
  const text = reason ? endSentences[reason] : describeError(failure, { credentials, prompt })
  return { targetRef: model.ref, ok: false, durationMs, error: text }
}

type Started = Pick<Running, 'model' | 'startedAt'>

function observe(router: Router, started: Started, failure: TargetError): void {
  const { kind, status } = failure
  const { target } = started.model
  router.states.failed(target, failure)
  if (kind === 'aborted') return
  router.log.warn({ target: target.id, kind, status }, 'model call failed')
  // A target that cannot run was not called.
  if (kind !== 'runtime_unavailable')
    addProviderCall(router, started, kind === 'timeout' ? 'timeout' : 'failure')
}

type CallOutcome = Parameters<Router['providerCalls']['add']>[0]['outcome']

function addProviderCall(
  { host, providerCalls }: Router,
  { model, startedAt }: Started,
  outcome: CallOutcome,
): void {
  const durationMs = host.now().getTime() - startedAt
  providerCalls.add({ provider: model.target.id, outcome, durationMs })
}

/** A cancelled call and a call at its deadline are no failures of the target. */
function toTargetError(router: Router, error: unknown, deadline: Deadline): TargetError {
  const reason = deadline.reason()
  if (reason) return new TargetError(reason, { kind: 'aborted' })
  if (error instanceof TargetError) return error
  // The message may have the prompt.
  router.log.error({ type: error instanceof Error ? error.name : typeof error }, 'target failed')
  return new TargetError('The target failed.', { kind: 'invalid_reply' })
}

function isMissingCredential(error: unknown): boolean {
  return error instanceof TargetError && error.message === missingCredential
}

export function toPlanOptions({ prompt, refresh }: RunRequest): PlanOptions {
  const promptChars = toPromptText(prompt.messages).length
  return { refresh, promptChars, maxTokens: prompt.maxTokens }
}

/** The texts of all messages, for the estimate of tokens and the check of errors. */
function toPromptText(messages: readonly ModelMessage[]): string {
  const texts = messages.flatMap(({ content }) => {
    if (typeof content === 'string') return [content]
    return content.map((part) => {
      if (part.type === 'text') return part.text
      if (part.type === 'tool-call') return part.arguments
      return part.type === 'tool-result' ? part.result : ''
    })
  })
  return texts.join('\n')
}
