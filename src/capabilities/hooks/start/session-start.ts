import { transaction } from '../../../kernel/db/transaction.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { neutralizeTexts } from '../../../kernel/redaction/neutralize.ts'
import { hashSession, sessionStarted } from '../../sessions/index.ts'
import { type Enveloped, envelop } from '../envelope.ts'
import { forgetTold } from '../forget-told.ts'
import { enter, type Hook } from '../hook.ts'
import type { HooksNeeds } from '../needs.ts'
import { noOps } from '../no-op.ts'
import { assemble } from './assemble.ts'
import { gather } from './gather.ts'
import { type MemoryItem, toItem } from './memory-item.ts'
import { chooseProfile } from './profile.ts'
import type { SessionStart } from './request.ts'
import { recordStart } from './select-memories.ts'
import { statusLine } from './texts.ts'
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

/** Tells a session at its beginning what is worth knowing. */
export async function startSession(
  needs: HooksNeeds,
  request: SessionStart,
): Promise<Started | NoOp | { readonly sessionKnown: true }> {
  const { hook, claimOnly } = request
  if (claimOnly) refuseUnclaimable(hook)
  const [wasTold] = await Promise.all([
    wasStarted(needs, hook),
    hook.internal || claimOnly ? undefined : needs.agents.register(needs.db, hook.caller),
  ])
  const entry = await enter(needs, hook, { noOp: noOps.sessionStart, appears: true })
  if (entry.status === 'idle') return entry.reply
  if (claimOnly) return { sessionKnown: true }
  if (request.source === 'clear') await clear(needs, hook)
  if (request.source === 'compact') await resetContext(needs, hook)
  const isRepeated = wasTold && request.source !== 'clear' && request.source !== 'compact'
  const { problems, ...told } = isRepeated ? again : await tell(needs, request)
  const warnings = [...entry.warnings, ...problems]
  announce(needs, hook)
  return {
    ...told,
    sessionKnown: wasTold || entry.known,
    ...(warnings.length > 0 && { warnings }),
    clockContext: needs.clock(needs.host.now()),
  }
}

function refuseUnclaimable({ runtimePath, sessionKey }: Hook): void {
  if (runtimePath === null)
    throw new Refusal('invalid', 'invalid_request', 'claimOnly requires a runtime path')
  if (sessionKey === undefined)
    throw new Refusal('invalid', 'invalid_request', 'claimOnly requires a session key')
}

function toStart({ caller: { agentId }, harness, project, sessionKey }: Hook) {
  return sessionKey === undefined ? undefined : { agentId, harness, project, sessionKey }
}

export async function wasStarted(needs: HooksNeeds, hook: Hook): Promise<boolean> {
  const start = toStart(hook)
  if (!start || hook.internal) return false
  return needs.sessions.wasStarted(start)
}

async function tell(needs: HooksNeeds, request: SessionStart) {
  const { hook } = request
  const { hooks } = needs.settings()
  const profile = chooseProfile(hooks, hook.harness)
  const { budget } = profile
  const { told, rest, ...texts } = await gather(needs, request, profile)
  const { identity, recentContext, parts, ...gathered } = neutralizeTexts(texts)
  const { stable, dynamic, exhausted } = assemble(parts, budget)
  if (exhausted) needs.log.warn({ budget }, 'what a session must be told fills its budget')
  const problems = [...profile.problems, ...gathered.problems]
  if (problems.length > 0) needs.log.warn({ problems }, 'a beginning is told with parts left out')
  const start = toStart(hook)
  const isFirst =
    !start || (await transaction(needs.db, (db) => recordStart(needs, db, { start, told, rest })))
  // A harness that begins twice at once hears it once.
  if (!isFirst) return again
  return {
    ...{ problems, identity },
    memories: told.map(({ memory }) => toItem(memory, hooks.sessionStart.maxMemoryChars)),
    ...(recentContext !== '' && { recentContext }),
    ...{ stableSystemPrompt: stable, dynamicContext: dynamic },
    ...envelop([stable, dynamic].filter((text) => text !== '').join('\n\n')),
  }
}

/** What is told a second time. */
const again = {
  ...{ problems: [], identity: { name: 'Agent' }, memories: [], stableSystemPrompt: '' },
  ...{ dynamicContext: statusLine, ...envelop(statusLine) },
}

/** The conversation before is closed with what was heard of it; then nothing of it counts as told. */
async function clear(needs: HooksNeeds, hook: Hook): Promise<void> {
  const start = toStart(hook)
  if (!start) return
  const { sessions } = needs
  await transaction(needs.db, async (db) => {
    const isOpen = await sessions.findWindow(db, start)
    if (isOpen) await sessions.finish(db, start)
    await forgetTold(needs, db, { id: start, reason: 'session-clear' })
  })
}

/** The start after a compaction is the reset, whether the summary comes before it, later or never. */
async function resetContext(needs: HooksNeeds, hook: Hook): Promise<void> {
  const start = toStart(hook)
  if (!start) return
  await transaction(needs.db, (db) =>
    forgetTold(needs, db, { id: start, reason: 'compaction-complete' }),
  )
}

function announce({ events }: HooksNeeds, hook: Hook): void {
  const { caller, harness, sessionKey } = hook
  const { agentId } = caller
  const session = hashSession(sessionKey)
  events.emit(sessionStarted, { agentId, harness, session })
}
