import { untilAborted } from '../../../kernel/host/with-timeout.ts'
import type { FinishReason, Target, TargetCall, TargetPart, Usage } from '../targets/target.ts'
import { type AttemptContext, type OpenAttempt, openAttempt, toPlanOptions } from './attempt.ts'
import type { SlotKind } from './concurrency.ts'
import { endSentences } from './deadline.ts'
import { type Entered, enter } from './enter.ts'
import { executionFailed } from './execute.ts'
import { type Plan, plan } from './plan.ts'
import { recordCall } from './record.ts'
import type { Attempt, Routed, Router, RunRequest } from './router.ts'

type ToolCallDelta = Extract<TargetPart, { type: 'tool-call-delta' }>

/** The last event is one of `done`, `cancelled` and `error`. */
export type ModelStreamEvent =
  | { readonly type: 'delta'; readonly text: string }
  | ToolCallDelta
  | (Routed & {
      readonly type: 'done'
      readonly text: string
      readonly finishReason: FinishReason
      readonly usage: Usage | null
    })
  | (Routed & { readonly type: 'cancelled'; readonly partialText: string })
  | (Routed & { readonly type: 'error'; readonly error: string; readonly partialText: string })

export interface ModelStream {
  readonly requestId: string
  readonly decision: Routed['decision']
  /** The target that answers. */
  readonly targetRef: string
  /** Iterated once. Its `return` cancels the call. */
  readonly events: AsyncIterable<ModelStreamEvent>
}

/**
 * Resolves when a target has begun its reply; no other target is tried after that. Refuses and
 * throws as `execute`.
 */
export async function openStream(router: Router, request: RunRequest): Promise<ModelStream> {
  const { requestId, subject, surface, route } = request
  const startedAt = router.host.now().getTime()
  const progress: Progress = { attempts: [] }
  const record = (attempts: readonly Attempt[], ended: object) => {
    const { decision, requirements } = progress.plan ?? {}
    const { trace, targetRef: selectedTarget } = decision ?? {}
    const known = { surface, request: route, startedAt, trace, selectedTarget, requirements }
    recordCall(router, 'stream', { ...known, attempts, ...ended })
  }
  const leave = () => {
    router.active.remove(requestId)
    progress.entered?.leave()
  }
  try {
    const entered = enter(router, request, toSlotKind(surface))
    progress.entered = entered
    const { deadline } = entered
    const planned = await plan(router, route, toPlanOptions(request))
    progress.plan = planned
    progress.attempts.push(...planned.skipped)
    const context = { router, plan: planned, request, deadline }
    router.active.add(requestId, { subject, cancel: deadline.cancel })
    const openReply = await beginReply(context, progress.attempts)
    const { attempts } = progress
    const events = createEvents(context, { begun: openReply, attempts, leave, record })
    return { requestId, decision: planned.decision, targetRef: openReply.targetRef, events }
  } catch (error) {
    const reason = progress.entered?.deadline.reason()
    leave()
    record(progress.attempts, { error, reason })
    throw error
  }
}

interface Progress {
  readonly attempts: Attempt[]
  entered?: Entered
  plan?: Plan
}

function toSlotKind(surface: RunRequest['surface']): SlotKind {
  return surface === 'gateway' ? 'gatewayStream' : 'nativeStream'
}

interface OpenReply {
  readonly targetRef: string
  readonly parts: AsyncIterator<TargetPart>
  readonly openAttempt: OpenAttempt
}

async function beginReply(context: AttemptContext, attempts: Attempt[]): Promise<OpenReply> {
  const { plan, deadline } = context
  for (const ref of plan.refs) {
    const opening = await openAttempt(context, ref)
    if (opening.status === 'failed') {
      attempts.push(opening.attempt)
      continue
    }
    const { openAttempt: opened } = opening
    const parts = toParts(opened.target, opened.call)
    const first = await untilAborted(deadline.signal, parts.next()).catch((error) => ({ error }))
    if (first && !('error' in first))
      return { targetRef: ref, parts: withFirst(first, parts), openAttempt: opened }
    closeQuietly(parts)
    attempts.push(await opened.fail(first?.error))
    if (deadline.reason()) break
  }
  throw executionFailed(deadline, { decision: plan.decision, attempts })
}

function withFirst<Part>(
  first: IteratorResult<Part>,
  parts: AsyncIterator<Part>,
): AsyncIterator<Part> {
  const pending = [first]
  return {
    next: async () => pending.shift() ?? (await parts.next()),
    return: async () => (await parts.return?.()) ?? { done: true, value: undefined },
  }
}

/** A target without streaming answers in one part. */
function toParts(target: Target, call: TargetCall): AsyncIterator<TargetPart> {
  if (target.stream) return target.stream(call)[Symbol.asyncIterator]()
  return (async function* (): AsyncGenerator<TargetPart> {
    const { text, usage, finishReason } = await target.complete(call)
    yield { type: 'text-delta', text }
    yield { type: 'finish', finishReason, usage }
  })()
}

/** Not awaited: a source that waits for its next part would not return. */
function closeQuietly(parts: AsyncIterator<TargetPart>): void {
  parts.return?.().catch(() => {})
}

interface Streaming {
  readonly begun: OpenReply
  readonly attempts: Attempt[]
  leave(): void
  record(attempts: readonly Attempt[], ended: object): void
}

type Ending =
  | { readonly type: 'done'; readonly finishReason: FinishReason; readonly usage: Usage }
  | { readonly type: 'failed'; readonly error?: unknown }

/**
 * Reads the next part when the consumer does. Ends itself when the signal aborts, so that nothing
 * is left behind by a consumer that never reads.
 */
function createEvents(
  context: AttemptContext,
  streaming: Streaming,
): AsyncIterable<ModelStreamEvent> {
  const { deadline } = context
  const { begun } = streaming
  const state: { text: string; ending?: Promise<ModelStreamEvent>; isDelivered?: boolean } = {
    text: '',
  }
  const end = (ending: Ending) => {
    deadline.signal.removeEventListener('abort', abort)
    state.ending ??= endStream(context, streaming, { ...ending, text: state.text })
    return state.ending
  }
  const abort = () => void end({ type: 'failed' })
  deadline.signal.addEventListener('abort', abort)
  if (deadline.signal.aborted) abort()

  /** Undefined for a part that is not passed on, and once the stream ends. */
  const readEvent = async (): Promise<ModelStreamEvent | undefined> => {
    const part = await untilAborted(deadline.signal, begun.parts.next())
    if (!part || state.ending !== undefined) return undefined
    if (part.done) return void end({ type: 'failed' })
    const { value } = part
    if (value.type === 'finish') return void end({ ...value, type: 'done' })
    if (value.type === 'tool-call-delta') return value
    if (value.type === 'reasoning-delta' || value.text === '') return undefined
    state.text += value.text
    return { type: 'delta', text: value.text }
  }
  const next = async (): Promise<IteratorResult<ModelStreamEvent>> => {
    while (!state.ending) {
      const event = await readEvent().catch((error: unknown) => void end({ type: 'failed', error }))
      if (event) return { done: false, value: event }
    }
    const value = await state.ending
    if (state.isDelivered) return { done: true, value: undefined }
    state.isDelivered = true
    return { done: false, value }
  }
  const close = async (): Promise<IteratorResult<ModelStreamEvent>> => {
    state.isDelivered = true
    if (!state.ending) deadline.cancel()
    return { done: true, value: undefined }
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: close }) }
}

/** Settles the attempt, releases everything, and returns the terminal event. */
async function endStream(
  { plan, deadline }: AttemptContext,
  { begun, attempts, leave, record }: Streaming,
  ending: Ending & { readonly text: string },
): Promise<ModelStreamEvent> {
  const { decision } = plan
  const { text } = ending
  closeQuietly(begun.parts)
  try {
    if (ending.type === 'done') {
      const attempt = await begun.openAttempt.succeed(ending.usage)
      const all = [...attempts, attempt]
      record(all, {})
      const { finishReason } = ending
      const usage = attempt.usage ?? null
      return { type: 'done', text, finishReason, usage, decision, attempts: all }
    }
    const reason = deadline.reason()
    const attempt = await begun.openAttempt.fail(ending.error, true)
    const all = [...attempts, attempt]
    const failed = executionFailed(deadline, { decision, attempts: all })
    record(all, { error: failed, reason })
    const ended = { partialText: text, decision, attempts: all }
    if (reason === 'cancelled') return { type: 'cancelled', ...ended }
    const error = reason ? endSentences[reason] : (attempt.error ?? failed.message)
    return { type: 'error', error, ...ended }
  } finally {
    leave()
  }
}
