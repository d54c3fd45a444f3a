import { DatabaseError } from '../../../kernel/db/database-error.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { type CleanText, toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { hashSession } from '../../sessions/index.ts'
import { type Enveloped, envelop } from '../envelope.ts'
import { promptAnswered, promptSubmitted } from '../events.ts'
import { enter, type Hook } from '../hook.ts'
import type { HooksNeeds } from '../needs.ts'
import { noOps } from '../no-op.ts'
import { cleanPrompt, isLowSignal, normalizePrompt } from './clean-prompt.ts'
import { gate, type Line, renderContext } from './gate.ts'
import { chooseEntities, listPhrases } from './match-entities.ts'
import { readPluginContext } from './plugin-context.ts'
import { takeFeedback } from './take-feedback.ts'

export interface Prompt {
  readonly hook: Hook
  readonly userMessage?: string | undefined
  readonly userPrompt?: string | undefined
  readonly lastAssistantMessage?: string | undefined
  readonly transcript?: string | undefined
  readonly transcriptPath?: string | undefined
  /** Of memories that were told before, from -1 to 1 by id; as it was sent. */
  readonly memoryFeedback?: unknown
}

type Engine = 'entity-context' | 'low-signal' | 'no-entity' | 'no-aspect-hit' | 'disabled' | 'none'

/** At the others nothing was looked for. */
const asking: ReadonlySet<Engine> = new Set(['entity-context', 'no-entity', 'no-aspect-hit'])

export interface Submitted extends Enveloped {
  readonly clockContext: string
  readonly dynamicContext: string
  readonly memoryCount: number
  readonly engine: Engine
  readonly queryTerms?: string
  readonly sessionKnown: boolean
  readonly warnings?: readonly string[]
}

type NoOp = typeof noOps.userPromptSubmit & { readonly bypassed?: true }

/** Notes the prompt, and tells what is known of the entities that it speaks of; mostly nothing. */
export async function submitPrompt(needs: HooksNeeds, prompt: Prompt): Promise<Submitted | NoOp> {
  const { host, clock, events } = needs
  const { hook } = prompt
  const started = host.now()
  const clockContext = clock(started)
  const text = textOf(prompt)
  const entry = await enter(needs, hook, { noOp: noOps.userPromptSubmit, appears: true })
  if (entry.status === 'idle') return entry.reply
  if (text === '') return noOps.userPromptSubmit
  const { context, terms } = await answer(needs, prompt, text)
  const { engine } = context
  const { harness, sessionKey, caller } = hook
  const { agentId } = caller
  const latencyMs = host.now().getTime() - started.getTime()
  events.emit(promptSubmitted, {
    ...{ agentId, harness, session: hashSession(sessionKey), engine, latencyMs },
  })
  if (asking.has(engine))
    events.emit(promptAnswered, {
      ...{ caller, sessionKey, project: hook.project, text, terms, engine, latencyMs },
      told: context.told,
    })
  return { clockContext, ...toReply(terms, context), ...toEntryReply(entry) }
}

/** The reply to a prompt that the disk has no space for. */
export async function answerUnstored(needs: HooksNeeds, prompt: Prompt): Promise<Submitted> {
  const text = textOf(prompt)
  const { tokens, pairs } = needs.recall.parseQueryWords(text)
  const terms = [...tokens, ...pairs]
  const context = await findContext(needs, prompt.hook, { text, terms })
  const warnings = ['The disk is full: this prompt was not stored.']
  const entry = toEntryReply({ known: false, warnings })
  return { clockContext: needs.clock(needs.host.now()), ...toReply(terms, context), ...entry }
}

function toReply(terms: readonly string[], { engine, text, told }: Context) {
  return {
    ...{ engine, dynamicContext: text, memoryCount: told.length },
    ...envelop(text),
    ...(terms.length > 0 && { queryTerms: terms.join(' ') }),
  }
}

function toEntryReply({ known, warnings }: Entered) {
  return { sessionKnown: known, ...(warnings.length > 0 && { warnings }) }
}

interface Entered {
  readonly known: boolean
  readonly warnings: readonly string[]
}

/** Empty where all of it is private, or added by a harness. */
function textOf({ userMessage, userPrompt }: Prompt): CleanText {
  return cleanPrompt(userMessage) || cleanPrompt(userPrompt)
}

interface Context {
  readonly engine: Engine
  readonly text: string
  readonly told: readonly Line[]
}

const nothing = { text: '', told: [] } as const

/** A prompt is never held up by what goes wrong here: then it hears nothing. */
async function answer(needs: HooksNeeds, prompt: Prompt, text: CleanText) {
  const { tokens, pairs } = needs.recall.parseQueryWords(text)
  const terms = [...tokens, ...pairs]
  try {
    await takeFeedback(needs, prompt.hook, prompt.memoryFeedback)
    await keep(needs, prompt, { text, terms })
    return { terms, context: await findContext(needs, prompt.hook, { text, terms }) }
  } catch (error) {
    if (error instanceof Refusal || error instanceof DatabaseError) throw error
    needs.log.error({ err: error }, 'fault')
    return { terms, context: { engine: 'none', ...nothing } as const }
  }
}

interface Said {
  readonly text: CleanText
  readonly terms: readonly string[]
}

/** The session's window and transcript go on. */
async function keep(needs: HooksNeeds, prompt: Prompt, { text, terms }: Said): Promise<void> {
  const { hook, lastAssistantMessage, transcript, transcriptPath } = prompt
  const { caller, harness, project, sessionKey } = hook
  if (sessionKey === undefined) return
  const { agentId } = caller
  const read = await needs.transcripts.readInput({ harness, transcript, transcriptPath })
  const session = { agentId, sessionKey, harness, project: project ?? undefined }
  const turns = [
    ...(lastAssistantMessage ? [{ role: 'assistant', text: lastAssistantMessage } as const] : []),
    { role: 'user', text } as const,
  ]
  await transaction(needs.db, async (db) => {
    const noting = { agentId, sessionKey, harness, project }
    // Its end waits until this is kept; one that has come since it was entered must come once more.
    await needs.sessions.staySeen(db, noting)
    await needs.sessions.note(db, noting, {
      prompt: text,
      terms: toCleanText(terms.slice(0, 12).join(' ')),
    })
    await (read
      ? needs.transcripts.saveSnapshot(db, { ...session, read, complete: false })
      : needs.transcripts.appendLive(db, { ...session, turns }))
  })
}

async function findContext(
  needs: HooksNeeds,
  { caller: { agentId } }: Hook,
  { text, terms }: Said,
): Promise<Context> {
  const { enabled } = needs.settings().hooks.userPromptSubmit
  if (!enabled) return { engine: 'disabled', ...nothing }
  const normalized = normalizePrompt(text)
  if (isLowSignal(normalized, terms)) return { engine: 'low-signal', ...nothing }
  const context = await findEntityContext(needs, agentId, { normalized, terms })
  const isTold = context.told.length > 0
  const added = await readPluginContext(needs.plugins, { normalized, isTold })
  return { ...context, text: [context.text, added].filter((part) => part !== '').join('\n\n') }
}

async function findEntityContext(
  { settings, entities }: HooksNeeds,
  agentId: string,
  { normalized, terms }: { readonly normalized: string; readonly terms: readonly string[] },
): Promise<Context> {
  const { minScore, ...sizes } = settings().hooks.userPromptSubmit
  const found = chooseEntities(await entities.findNamed(agentId, listPhrases(normalized)))
  if (found.length === 0) return { engine: 'no-entity', ...nothing }
  const lines = await Promise.all(
    found.map(async (entity) => {
      const attributes = await entities.listAttributes(agentId, entity.id)
      return gate(entity, attributes, { terms, minScore })
    }),
  )
  const context = renderContext(lines.flat(), sizes)
  return { engine: context.told.length > 0 ? 'entity-context' : 'no-aspect-hit', ...context }
}
