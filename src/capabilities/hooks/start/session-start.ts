import { transaction } from '../../../kernel/db/transaction.ts'
import { invalidRequest } from '../../../kernel/errors/refusal.ts'
import { neutralizeTexts } from '../../../kernel/redaction/neutralize.ts'
import { hashSession, sessionStarted } from '../../sessions/index.ts'
import { enter, type Hook, noOps, type SessionStart } from '../hook.ts'
import type { HooksNeeds } from '../needs.ts'
import { envelop, statusLine, toItem, toStartText } from '../render.ts'
import { resetSessionLedger } from '../session-end.ts'
import { assemble } from './assemble.ts'
import { gather } from './gather.ts'
import { chooseProfile } from './profile.ts'
import { saveStart } from './select-memories.ts'

/** Builds the start context of a session. */
export async function startSession(needs: HooksNeeds, request: SessionStart) {
  const { hook, claimOnly, source } = request
  if (claimOnly) assertClaimable(hook)
  const [alreadyStarted] = await Promise.all([
    hasStarted(needs, hook),
    hook.internal || claimOnly ? undefined : needs.agents.register(needs.db, hook.caller),
  ])
  const entry = await enter(needs, hook, { noOp: noOps.sessionStart, announcePresence: true })
  if (entry.status === 'idle') return entry.reply
  if (claimOnly) return { sessionKnown: true } as const
  const isReset = source === 'clear' || source === 'compact'
  if (isReset) await resetSession(needs, hook, source)
  const { problems, ...context } =
    alreadyStarted && !isReset ? repeatReply : await buildContext(needs, request)
  const warnings = [...entry.warnings, ...problems]
  const { caller, harness, project, sessionKey } = hook
  const session = hashSession(sessionKey)
  needs.events.emit(sessionStarted, { agentId: caller.agentId, harness, project, session })
  return {
    ...context,
    sessionKnown: alreadyStarted || entry.existedBefore,
    ...(warnings.length > 0 && { warnings }),
    clockContext: needs.clock(needs.host.now()),
  }
}

function assertClaimable({ runtimePath, sessionKey }: Hook): void {
  if (runtimePath === null) throw invalidRequest('claimOnly requires a runtime path')
  if (sessionKey === undefined) throw invalidRequest('claimOnly requires a session key')
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
  const { injected, rest, ...found } = await gather(needs, request, profile)
  const { identity, recentContext, parts, ...gathered } = neutralizeTexts(found)
  // Fences are marks, so they come after the texts are neutralized.
  const texts = { stable: parts.stable.map(toStartText), added: parts.added.map(toStartText) }
  const { stable, dynamic, exhausted } = assemble({ ...parts, ...texts }, budget)
  if (exhausted) needs.log.warn({ budget }, 'mandatory session-start content exceeds its budget')
  const problems = [...profile.problems, ...gathered.problems]
  if (problems.length > 0) needs.log.warn({ problems }, 'session start incomplete')
  const start = toStart(hook)
  const isFirst =
    !start || (await transaction(needs.db, (db) => saveStart(needs, db, { start, injected, rest })))
  // A concurrent start of the same session gets the short reply.
  if (!isFirst) return repeatReply
  return {
    problems,
    identity,
    memories: injected.map(({ memory }) => toItem(memory, hooks.sessionStart.maxMemoryChars)),
    ...(recentContext !== '' && { recentContext }),
    stableSystemPrompt: stable,
    dynamicContext: dynamic,
    ...envelop([stable, dynamic].filter((text) => text !== '').join('\n\n')),
  }
}

/** The reply to a repeated start. */
const repeatReply = {
  problems: [],
  identity: { name: 'Agent' },
  memories: [],
  stableSystemPrompt: '',
  dynamicContext: statusLine,
  ...envelop(statusLine),
}

/** `clear` also finishes the previous conversation. */
async function resetSession(
  { db, ...needs }: HooksNeeds,
  hook: Hook,
  source: 'clear' | 'compact',
): Promise<void> {
  const start = toStart(hook)
  if (!start) return
  await transaction(db, async (db) => {
    if (source === 'clear' && (await needs.sessions.findWindow(db, start)))
      await needs.sessions.finish(db, start)
    const reason = source === 'clear' ? 'session-clear' : 'compaction-complete'
    await resetSessionLedger(needs, db, { id: start, reason })
  })
}
