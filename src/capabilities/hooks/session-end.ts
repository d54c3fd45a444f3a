import { hash } from 'node:crypto'
import { assertPermission } from '../../kernel/auth/permission.ts'
import type { Db } from '../../kernel/db/database.ts'
import { afterCommit } from '../../kernel/db/transaction.ts'
import {
  hashSession,
  type SessionId,
  sessionEnded,
  sessionTurnEnded,
  toBareKey,
} from '../sessions/index.ts'
import { claimedElsewhere, type HookRequest, noOps } from './hook.ts'
import type { HooksNeeds } from './needs.ts'
import type { sessionEndBody } from './schemas.ts'

type SessionEnd = HookRequest<typeof sessionEndBody>

/** Reasons that end a session. Any other reason may be the end of a turn. */
const boundaries = new Set([
  'clear',
  'session.deleted',
  'session_branch',
  'session_fork',
  'session_shutdown',
  'session_switch',
  'stale-session-sweep',
  'expired',
])

/** Captures the transcript and ends the session. Idempotent. */
export async function endSession(needs: HooksNeeds, request: SessionEnd) {
  const { hook, transcript, transcriptPath, reason, sessionId, capturedAt } = request
  const { caller, harness, runtimePath, project } = hook
  const noOp = noOps.sessionEnd
  if (transcript !== undefined || transcriptPath !== undefined) assertPermission('remember', caller)
  if (hook.internal) return noOp
  const { agentId } = caller
  const { sessions, transcripts } = needs
  if (hook.sessionKey === undefined)
    await sessions.endPresence({ agentId, harness, project, sessionKey: null })
  const sessionKey = keyOf(request)
  if (sessionKey === undefined) return { ...noOp, queued: false }
  const id = { agentId, sessionKey }
  await sessions.assertInScope(caller, sessionKey)
  const isBypassed = (await sessions.find(id))?.bypassed ?? false
  const read = isBypassed
    ? undefined
    : await transcripts.readInput({ harness, transcript, transcriptPath })
  const done: { captureJobId?: string | null; prompts?: number } = {}
  const endMarker = runtimePath ?? harness
  const ended = await sessions.end({ ...id, runtimePath, endMarker, project }, async (db) => {
    if (isBypassed) return
    afterCommit(db, () => announce(needs, request, { sessionKey, ...done }))
    if (reason === 'clear') return discard(needs, db, id)
    const session = { ...id, harness, project, sessionId, capturedAt, read }
    Object.assign(done, await sessions.finish(db, session))
  })
  if (ended.status === 'refused') throw claimedElsewhere(ended.claimedBy, noOp)
  if (ended.status === 'repeated')
    return { ...noOp, skipped: true, duplicateSessionEnd: true, endedBy: ended.endedBy } as const
  if (isBypassed) return { ...noOp, bypassed: true } as const
  return reason === 'clear' ? noOp : toReply(done.captureJobId)
}

function toReply(jobId: string | null | undefined) {
  return jobId
    ? { ...noOps.sessionEnd, queued: true, transcriptCaptureJobId: jobId }
    : { ...noOps.sessionEnd, queued: false }
}

/** The session key or id. Without both, a key derived from the transcript. */
function keyOf({ hook, sessionId, transcript, transcriptPath }: SessionEnd): string | undefined {
  const named = hook.sessionKey ?? toBareKey(sessionId)
  if (named !== undefined) return named
  if (transcript !== undefined) return `inline:${hash('sha256', transcript).slice(0, 32)}`
  return transcriptPath === undefined ? undefined : `file:${hook.harness}:${transcriptPath}`
}

/** The user cleared the conversation: it is not captured and its ledger is reset. */
async function discard(needs: HooksNeeds, db: Db, id: SessionId): Promise<void> {
  await needs.sessions.checkpoint(db, { id, trigger: 'session_end', ends: true })
  await resetSessionLedger(needs, db, { id, reason: 'session-clear' })
}

function announce(
  { events }: HooksNeeds,
  { hook: { caller, harness, project }, reason }: SessionEnd,
  { sessionKey, prompts = 0 }: Pick<SessionId, 'sessionKey'> & { readonly prompts?: number },
): void {
  const { agentId } = caller
  const session = { agentId, harness, project, session: hashSession(sessionKey) }
  if (reason === undefined || boundaries.has(reason))
    events.emit(sessionEnded, { ...session, reason: reason ?? null })
  else events.emit(sessionTurnEnded, { ...session, reason, prompts })
}

interface ResetRequest {
  readonly id: SessionId
  readonly reason: 'session-clear' | 'compaction-complete'
}

/** The session may receive the same memories again. The new epoch refers to the last checkpoint. */
export async function resetSessionLedger(
  { recall, sessions, transcripts }: Pick<HooksNeeds, 'recall' | 'sessions' | 'transcripts'>,
  db: Db,
  { id, reason }: ResetRequest,
): Promise<void> {
  const { agentId, sessionKey } = id
  await sessions.deleteStarts(db, id)
  const checkpoint = await transcripts.findCheckpoint(db, id)
  const sourceRef = checkpoint?.id ?? null
  await recall.advanceEpoch(db, { agentId, sessionKey, reason, sourceRef })
}
