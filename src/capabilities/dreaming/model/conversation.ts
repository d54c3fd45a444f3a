import { pipelineFailed } from '../../../kernel/events/pipeline-failure.ts'
import type { ModelRequest } from '../../inference/index.ts'
import type { DreamingNeeds } from '../needs.ts'
import type { Pass, PassWriter } from '../pass.ts'
import { findCapability, runCapability } from '../registry/registry.ts'
import type { Fence } from './fence.ts'
import type { Meter } from './meter.ts'
import type { Stager } from './stager.ts'
import { saveToolCall } from './trace.ts'
import { parseTurn, type ToolRequest, type Turn, turnSchema } from './turn.ts'

/** What the conversations of one stage share. */
export interface Stage {
  readonly needs: DreamingNeeds
  readonly pass: Pass
  readonly signal: AbortSignal
  readonly fence: Fence
  readonly meter: Meter
  readonly stager: Stager
  readonly writer: PassWriter
  readonly system: string
  readonly progress: Progress
}

/** Ends a model that gets nowhere. */
interface Progress {
  idleTurns: number
  sequence: number
  readonly calls: Map<string, number>
  readonly seenSources: Set<string>
}

export interface Ending {
  /** Undefined where the model has said that it is done. */
  readonly stoppedBy: string | undefined
  readonly note: string | undefined
}

type Message = ModelRequest['messages'][number]

const maxIdleTurns = 3
const maxSameCalls = 3
const maxOutputLength = 8_000
/** Characters of a conversation before old results are left out. */
const maxConversation = 72_000
const recentMessages = 4
const callTimeoutMs = 120_000
const repair =
  'Your reply had another shape. Reply with one JSON object as described, and nothing else.'

/** Talks with the model about a part of the evidence until it is done or a limit is reached. */
export async function converse(stage: Stage, task: string): Promise<Ending> {
  const messages: Message[] = [
    { role: 'system', content: stage.system },
    { role: 'user', content: task },
  ]
  const talk: Talk = { messages, note: undefined, repairs: 0 }
  for (;;) {
    const { text, turn, stop } = await takeTurn(stage, compact(messages))
    if (stop !== undefined) return { stoppedBy: stop, note: talk.note }
    if (turn) await follow(stage, talk, turn)
    else askAgain(stage, talk, text)
    const stoppedBy = turn?.done ? undefined : findStop(stage)
    if (turn?.done || stoppedBy !== undefined) return { stoppedBy, note: talk.note }
  }
}

interface Talk {
  readonly messages: Message[]
  note: string | undefined
  repairs: number
}

async function follow(stage: Stage, talk: Talk, turn: Turn): Promise<void> {
  talk.note = turn.note ?? talk.note
  const content = await runCalls(stage, turn)
  talk.messages.push({ role: 'assistant', content: JSON.stringify(turn) })
  talk.messages.push({ role: 'user', content })
}

/** The first reply of another shape costs no progress. */
function askAgain({ needs, pass, progress }: Stage, talk: Talk, text: string): void {
  needs.events.emit(pipelineFailed, { code: 'DECISION_INVALID', agentId: pass.agentId })
  talk.repairs += 1
  if (talk.repairs > 1) progress.idleTurns += 1
  talk.messages.push({ role: 'assistant', content: text.slice(0, 500) })
  talk.messages.push({ role: 'user', content: repair })
}

function findStop({ progress, stager }: Stage): string | undefined {
  const isRepeating = Math.max(0, ...progress.calls.values()) >= maxSameCalls
  if (progress.idleTurns >= maxIdleTurns || isRepeating) return 'no_progress'
  return stager.isFull() ? 'writes' : undefined
}

interface TurnResult {
  readonly text: string
  readonly turn: Turn | undefined
  readonly stop: string | undefined
}

async function takeTurn(stage: Stage, messages: readonly Message[]): Promise<TurnResult> {
  const { needs, pass, signal, meter } = stage
  const chars = messages.reduce((sum, { content }) => sum + content.length, 0)
  const stop = await meter.findStop(chars)
  if (stop !== undefined) return { text: '', turn: undefined, stop }
  signal.throwIfAborted()
  const reply = await needs.models.run({
    operation: 'memory_extraction',
    agentId: pass.agentId,
    messages,
    schema: turnSchema,
    maxTokens: meter.maxTokens(),
    timeoutMs: callTimeoutMs,
    signal,
  })
  await meter.record(reply, chars)
  return { text: reply.text, turn: parseTurn(reply.object), stop: undefined }
}

/** Results of earlier turns go first: the task and the last turns stay. */
function compact(messages: readonly Message[]): readonly Message[] {
  let excess = messages.reduce((sum, { content }) => sum + content.length, 0) - maxConversation
  return messages.map((message, at) => {
    if (excess <= 0 || at < 2 || at >= messages.length - recentMessages) return message
    const content = 'Left out to save space.'
    excess -= message.content.length - content.length
    return { ...message, content }
  })
}

async function runCalls(stage: Stage, { calls }: Turn): Promise<string> {
  const { progress, stager, meter, fence } = stage
  const before = stager.count() + progress.seenSources.size
  const results: string[] = []
  for (const call of calls) {
    if (!meter.hasToolCalls()) break
    const key = JSON.stringify(call)
    progress.calls.set(key, (progress.calls.get(key) ?? 0) + 1)
    meter.recordTool()
    const output = JSON.stringify(await runTool(stage, call))
    const text = output.length > maxOutputLength ? `${output.slice(0, maxOutputLength)}…` : output
    results.push(fence.wrap(text, { ref: 'result', tool: call.tool }))
  }
  const hasProgress = stager.count() + progress.seenSources.size > before
  progress.idleTurns = hasProgress ? 0 : progress.idleTurns + 1
  return [`Left: ${meter.describe()}.`, 'Results:', ...results].join('\n')
}

async function runTool(stage: Stage, { tool, input }: ToolRequest): Promise<object> {
  const { needs, pass, writer, progress, signal } = stage
  const found = findCapability(tool)
  const started = needs.host.now().getTime()
  const fields: Readonly<Record<string, unknown>> = Object(input)
  const isForeign = 'agentId' in fields || 'agent_id' in fields
  const context = { needs, agentId: pass.agentId, actor, pass: writer }
  const outcome =
    !found || isForeign
      ? { ok: false as const, error: isForeign ? 'agentId: unknown field' : 'unknown tool' }
      : await runCapability(found, context, input)
  signal.throwIfAborted()
  const output = outcome.ok ? outcome.output : { ok: false, error: outcome.error }
  const latencyMs = needs.host.now().getTime() - started
  const { sequence } = progress
  progress.sequence += 1
  await saveToolCall(needs, pass, {
    sequence,
    tool,
    input,
    output,
    success: outcome.ok,
    latencyMs,
  })
  noteSources(progress, output)
  return output
}

const actor = { name: 'dreaming', type: 'pipeline' } as const

/** Sources that a search has shown for the first time. */
function noteSources({ seenSources }: Progress, output: object): void {
  const { items } = Object(output)
  if (!Array.isArray(items)) return
  for (const item of items) {
    const { sourceRef } = Object(item)
    if (typeof sourceRef === 'string') seenSources.add(sourceRef)
  }
}
