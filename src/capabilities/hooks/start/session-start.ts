import { transaction } from '../../../kernel/db/transaction.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { neutralizeTexts } from '../../../kernel/redaction/neutralize.ts'
import { hashSession, sessionStarted } from '../../sessions/index.ts'
import { enter, type Hook, noOps } from '../hook.ts'
import type { HooksNeeds } from '../needs.ts'
import { type Enveloped, envelop, type MemoryItem, statusLine, toItem } from '../render.ts'

import { resetSessionLedger } from '../session-end.ts'
import { assemble } from './assemble.ts'
import { gather } from './gather.ts'

import { chooseProfile } from './profile.ts'
import type { SessionStart } from './request.ts'
import { saveStart } from './select-memories.ts'

import type { Identity } from './workspace-files.ts'

export interface Started extends Enveloped {
  readonly identity: Identity
  readonly memories: readonly MemoryItem[]
  readonly recentContext?: string
  readonly stableSystemPrompt: string
  readonly dynamicContext: string
  readonly sessionKnown: boolean
  readonly warnings?: readonly string[]
  readonly clockContext: string
}

type NoOp = typeof noOps.sessionStart & { readonly bypassed?: true }

/** Builds the start context of a session. */
export async function startSession(
  needs: HooksNeeds,
  request: SessionStart,
): Promise<Started | NoOp | { readonly sessionKnown: true }> {
  const { hook, claimOnly } = request
  if (claimOnly) assertClaimable(hook)
  const [alreadyStarted] = await Promise.all([
    hasStarted(needs, hook),
    hook.internal || claimOnly ? undefined : needs.agents.register(needs.db, hook.caller),
  ])
  const entry = await enter(needs, hook, { noOp: noOps.sessionStart, announcePresence: true })
  if (entry.status === 'idle') return entry.reply
  if (claimOnly) return { sessionKnown: true }
  if (request.source === 'clear') await clearSession(needs, hook)
  if (request.source === 'compact') await resetContext(needs, hook)
  const isRepeated = alreadyStarted && request.source !== 'clear' && request.source !== 'compact'
  const { problems, ...context } = isRepeated ? repeatReply : await buildContext(needs, request)
  const warnings = [...entry.warnings, ...problems]
  announce(needs, hook)
  return {
    ...context,
    sessionKnown: alreadyStarted || entry.existedBefore,
    ...(warnings.length > 0 && { warnings }),
    clockContext: needs.clock(needs.host.now()),
  }
}

function assertClaimable({ runtimePath, sessionKey }: Hook): void {
  if (runtimePath === null)
    throw new Refusal('invalid', 'invalid_request', 'claimOnly requires a runtime path')
  if (sessionKey === undefined)
    throw new Refusal('invalid', 'invalid_request', 'claimOnly requires a session key')
}

function toStart({ caller: { agentId }, harness, project, sessionKey }: Hook) {
  return sessionKey === undefined ? undefined : { agentId, harness, project, sessionKey }
}

export async function hasStarted(needs: HooksNeeds, hook: Hook): Promise<boolean> {
  const start = toStart(hook)
  if (!start || hook.internal) return false
  return needs.sessions.hasStarted(start)
}

async function buildContext(needs: HooksNeeds, request: SessionStart) {
  const { hook } = request
  const { hooks } = needs.settings()
  const profile = chooseProfile(hooks, hook.harness)
  const { budget } = profile
  const { injected: told, rest, ...texts } = await gather(needs, request, profile)
  const { identity, recentContext, parts, ...gathered } = neutralizeTexts(texts)
  const { stable, dynamic, exhausted } = assemble(parts, budget)
  if (exhausted) needs.log.warn({ budget }, 'mandatory session-start content exceeds its budget')
  const problems = [...profile.problems, ...gathered.problems]
  if (problems.length > 0) needs.log.warn({ problems }, 'session start incomplete')
  const start = toStart(hook)
  const isFirst =
    !start ||
    (await transaction(needs.db, (db) => saveStart(needs, db, { start, injected: told, rest })))
  // A concurrent start of the same session gets the short reply.
  if (!isFirst) return repeatReply
  return {
    ...{ problems, identity },
    memories: told.map(({ memory }) => toItem(memory, hooks.sessionStart.maxMemoryChars)),
    ...(recentContext !== '' && { recentContext }),
    ...{ stableSystemPrompt: stable, dynamicContext: dynamic },
    ...envelop([stable, dynamic].filter((text) => text !== '').join('\n\n')),
  }
}

/** The reply to a repeated start. */
const repeatReply = {
  ...{ problems: [], identity: { name: 'Agent' }, memories: [], stableSystemPrompt: '' },
  ...{ dynamicContext: statusLine, ...envelop(statusLine) },
}

/** Finishes the previous conversation and resets its ledger. */
async function clearSession(needs: HooksNeeds, hook: Hook): Promise<void> {
  const start = toStart(hook)
  if (!start) return
  const { sessions } = needs
  await transaction(needs.db, async (db) => {
    const isOpen = await sessions.findWindow(db, start)
    if (isOpen) await sessions.finish(db, start)
    await resetSessionLedger(needs, db, { id: start, reason: 'session-clear' })
  })
}

/** A start after a compaction resets the ledger, whether or not a summary arrives. */
async function resetContext(needs: HooksNeeds, hook: Hook): Promise<void> {
  const start = toStart(hook)
  if (!start) return
  await transaction(needs.db, (db) =>
    resetSessionLedger(needs, db, { id: start, reason: 'compaction-complete' }),
  )
}

function announce({ events }: HooksNeeds, hook: Hook): void {
  const { caller, harness, sessionKey } = hook
  const { agentId } = caller
  const session = hashSession(sessionKey)
  events.emit(sessionStarted, { agentId, harness, session })
}
