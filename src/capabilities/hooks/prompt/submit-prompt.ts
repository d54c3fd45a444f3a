import { z } from 'zod'
import { listPermissions } from '../../../kernel/auth/permission.ts'
import { DatabaseError } from '../../../kernel/db/database-error.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { toRefusal } from '../../../kernel/http/errors.ts'
import { type CleanText, toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { hashSession } from '../../sessions/index.ts'
import { promptAnswered, promptSubmitted } from '../events.ts'
import { enter, type Hook, type HookRequest, noOps } from '../hook.ts'
import type { EntityReader, HooksNeeds } from '../needs.ts'
import { renderNotices, takeNotices } from '../notices.ts'
import { envelop } from '../render.ts'
import type { promptBody } from '../schemas.ts'
import { hasStarted, startSession } from '../start/session-start.ts'
import {
  chooseEntities,
  cleanPrompt,
  isLowSignal,
  type Line,
  listPhrases,
  normalizePrompt,
  readPluginContext,
  renderContext,
  selectAttributes,
} from './entity-context.ts'

type Prompt = HookRequest<typeof promptBody>

/** Adds the start context to the first reply of a session. A full disk does not fail a prompt. */
export async function submitFirstPrompt(needs: HooksNeeds, prompt: Prompt) {
  try {
    return await submitWithStart(needs, prompt)
  } catch (error) {
    if (toRefusal(error)?.code !== 'storage_full') throw error
    needs.log.error({ err: error }, 'prompt not stored')
    return replyWithoutStorage(needs, prompt)
  }
}

async function submitWithStart(needs: HooksNeeds, prompt: Prompt) {
  const startContext = await readStartContext(needs, prompt)
  const reply = await submitPrompt(needs, prompt)
  return { ...reply, ...(startContext !== '' && { startContext }) }
}

async function readStartContext(needs: HooksNeeds, prompt: Prompt): Promise<string> {
  const { hook, includeStart } = prompt
  // A session start takes this permission.
  if (!includeStart || !listPermissions(hook.caller).includes('remember')) return ''
  if (await hasStarted(needs, hook)) return ''
  const start = await startSession(needs, { hook, claimOnly: false })
  return 'inject' in start ? start.inject : ''
}

type Engine = 'entity-context' | 'low-signal' | 'no-entity' | 'no-aspect-hit' | 'disabled' | 'none'

/** Outcomes for which entities were searched. */
const searchingEngines: ReadonlySet<Engine> = new Set([
  'entity-context',
  'no-entity',
  'no-aspect-hit',
])

/** Records the prompt and returns facts about the entities that it names. */
export async function submitPrompt(needs: HooksNeeds, prompt: Prompt) {
  const { host, clock, events } = needs
  const { hook } = prompt
  const started = host.now()
  const clockContext = clock(started)
  const text = textOf(prompt)
  const entry = await enter(needs, hook, { noOp: noOps.userPromptSubmit, announcePresence: true })
  if (entry.status === 'idle') return entry.reply
  if (text === '') return noOps.userPromptSubmit
  const { context, notices, terms } = await recordAndSearch(needs, prompt, text)
  const { engine } = context
  const { harness, sessionKey, caller } = hook
  const { agentId } = caller
  const latencyMs = host.now().getTime() - started.getTime()
  events.emit(promptSubmitted, {
    agentId,
    harness,
    session: hashSession(sessionKey),
    engine,
    latencyMs,
  })
  if (searchingEngines.has(engine))
    events.emit(promptAnswered, {
      caller,
      sessionKey,
      project: hook.project,
      text,
      terms,
      engine,
      latencyMs,
      shown: context.shown,
    })
  const noticeFields = notices.length > 0 && {
    notifications: notices,
    notificationContext: renderNotices(notices),
  }
  return { clockContext, ...toReply(terms, context), ...noticeFields, ...toEntryReply(entry) }
}

/** The reply when the disk is full. */
async function replyWithoutStorage(needs: HooksNeeds, prompt: Prompt) {
  const text = textOf(prompt)
  const { tokens, pairs } = needs.recall.parseQueryWords(text)
  const terms = [...tokens, ...pairs]
  const context = await findContext(needs, prompt.hook, { text, terms })
  const warnings = ['The disk is full: this prompt was not stored.']
  const entry = toEntryReply({ existedBefore: false, warnings })
  return { clockContext: needs.clock(needs.host.now()), ...toReply(terms, context), ...entry }
}

function toReply(terms: readonly string[], { engine, text, shown }: Context) {
  return {
    engine,
    dynamicContext: text,
    memoryCount: shown.length,
    ...envelop(text),
    ...(terms.length > 0 && { queryTerms: toCleanText(terms.join(' ')) }),
  }
}

function toEntryReply({ existedBefore, warnings }: EntryStatus) {
  return { sessionKnown: existedBefore, ...(warnings.length > 0 && { warnings }) }
}

interface EntryStatus {
  readonly existedBefore: boolean
  readonly warnings: readonly string[]
}

/** Empty if the prompt is private or added by a harness. */
function textOf({ userMessage, userPrompt }: Prompt): CleanText {
  return cleanPrompt(userMessage) || cleanPrompt(userPrompt)
}

interface Context {
  readonly engine: Engine
  readonly text: string
  readonly shown: readonly Line[]
}

const emptyContext = { text: '', shown: [] } as const

/** A fault is logged and yields an empty context: it never fails a prompt. */
async function recordAndSearch(needs: HooksNeeds, prompt: Prompt, text: CleanText) {
  const { tokens, pairs } = needs.recall.parseQueryWords(text)
  const terms = [...tokens, ...pairs]
  try {
    await takeFeedback(needs, prompt.hook, prompt.memoryFeedback)
    await savePrompt(needs, prompt, { text, terms })
    const [context, notices] = await Promise.all([
      findContext(needs, prompt.hook, { text, terms }),
      takeNotices(needs, prompt.hook),
    ])
    return { terms, context, notices }
  } catch (error) {
    if (error instanceof Refusal || error instanceof DatabaseError) throw error
    needs.log.error({ err: error }, 'fault')
    return { terms, context: { engine: 'none', ...emptyContext } as const, notices: [] }
  }
}

interface PromptText {
  readonly text: CleanText
  readonly terms: readonly string[]
}

/** Adds the prompt to the window and the transcript of the session. */
async function savePrompt(
  needs: HooksNeeds,
  prompt: Prompt,
  { text, terms }: PromptText,
): Promise<void> {
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
    const actor = { agentId, sessionKey, harness, project }
    // The presence row serializes this write with an end of the session.
    await needs.sessions.touchPresence(db, actor)
    await needs.sessions.recordActivity(db, actor, {
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
  { caller }: Hook,
  { text, terms }: PromptText,
): Promise<Context> {
  const { enabled } = needs.settings().hooks.userPromptSubmit
  if (!enabled) return { engine: 'disabled', ...emptyContext }
  const normalized = normalizePrompt(text)
  if (isLowSignal(normalized, terms)) return { engine: 'low-signal', ...emptyContext }
  const reader = { agentId: caller.agentId, project: caller.scope.project ?? null }
  const context = await findEntityContext(needs, reader, { normalized, terms })
  const hasEntityContext = context.shown.length > 0
  const added = await readPluginContext(needs.plugins, { normalized, hasEntityContext })
  return { ...context, text: [context.text, added].filter((part) => part !== '').join('\n\n') }
}

async function findEntityContext(
  { settings, entities }: HooksNeeds,
  reader: EntityReader,
  { normalized, terms }: { readonly normalized: string; readonly terms: readonly string[] },
): Promise<Context> {
  const { minScore, ...sizes } = settings().hooks.userPromptSubmit
  const mentioned = chooseEntities(await entities.findNamed(reader, listPhrases(normalized)))
  if (mentioned.length === 0) return { engine: 'no-entity', ...emptyContext }
  const lines = await Promise.all(
    mentioned.map(async (entity) => {
      const attributes = await entities.listAttributes(reader, entity.id)
      return selectAttributes(entity, attributes, { terms, minScore })
    }),
  )
  const context = renderContext(lines.flat(), sizes)
  return { engine: context.shown.length > 0 ? 'entity-context' : 'no-aspect-hit', ...context }
}

const maxRatings = 200
const ratings = z.record(z.string(), z.number().min(-1).max(1))

/** Saves the ratings of memories that a harness sends. A failure is logged. */
async function takeFeedback(
  { memory, log }: Pick<HooksNeeds, 'memory' | 'log'>,
  { caller, sessionKey: key }: Hook,
  input: unknown,
): Promise<void> {
  const parsed = ratings.safeParse(input)
  if (!parsed.success || key === undefined || !listPermissions(caller).includes('remember')) return
  const saved = new Map(Object.entries(parsed.data).slice(0, maxRatings))
  if (saved.size === 0) return
  try {
    await memory.giveFeedback(caller, { key, ratings: saved })
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof DatabaseError)) throw error
    log.warn({ err: error }, 'memory feedback not saved')
  }
}
