import { createHash } from 'node:crypto'
import { assertPermission } from '../../kernel/auth/permission.ts'
import type { Db } from '../../kernel/db/database.ts'
import { afterCommit } from '../../kernel/db/transaction.ts'
import { hashSession, sessionEnded, sessionTurned, toBareKey } from '../sessions/index.ts'
import { claimedElsewhere, type Hook, noOps } from './hook.ts'
import type { HooksNeeds } from './needs.ts'

interface SessionEnd {
  readonly hook: Hook
  readonly sessionId?: string | undefined
  readonly reason?: string | undefined
  readonly transcript?: string | undefined
  readonly transcriptPath?: string | undefined
  readonly capturedAt?: string | undefined
}

interface SessionEnded {
  readonly memoriesSaved: 0
  readonly queued?: boolean
  readonly transcriptCaptureJobId?: string
  readonly skipped?: true
  readonly duplicateSessionEnd?: true
  readonly endedBy?: string
  readonly bypassed?: true
}

/** Reasons that end a session. Any other reason may be the end of a turn. */
const boundaries = new Set([
  ...['clear', 'session.deleted', 'session_branch', 'session_fork', 'session_shutdown'],
  ...['session_switch', 'stale-session-sweep', 'expired'],
])

/** Captures the transcript and ends the session. Idempotent. */
export async function endSession(needs: HooksNeeds, request: SessionEnd): Promise<SessionEnded> {
  const { hook, transcript, transcriptPath } = request
  const { caller, harness, runtimePath, project } = hook
  if (transcript !== undefined || transcriptPath !== undefined) assertPermission('remember', caller)
  if (hook.internal) return noOps.sessionEnd
  const { agentId } = caller
  if (hook.sessionKey === undefined)
    await needs.sessions.endPresence({ agentId, harness, project, sessionKey: null })
  const id = { agentId, sessionKey: keyOf(request) }
  if (id.sessionKey === undefined) return { memoriesSaved: 0, queued: false }
  const session = { ...id, sessionKey: id.sessionKey }
  await needs.sessions.assertInScope(caller, session.sessionKey)
  const isBypassed = (await needs.sessions.find(session))?.bypassed ?? false
  const read = isBypassed
    ? undefined
    : await needs.transcripts.readInput({ harness, transcript, transcriptPath })
  const done: { captureJobId?: string | null; prompts?: number } = {}
  const endMarker = runtimePath ?? harness
  const ended = await needs.sessions.end(
    { ...session, runtimePath, endMarker, project },
    async (db) => {
      if (isBypassed) return
      afterCommit(db, () => announce(needs, request, { ...session, ...done }))
      if (request.reason === 'clear') return forget(needs, db, session)
      const { sessionId, capturedAt } = request
      const finishing = { ...session, harness, project, sessionId, capturedAt, read }
      Object.assign(done, await needs.sessions.finish(db, finishing))
    },
  )
  if (ended.status === 'refused') throw claimedElsewhere(ended.claimedBy, noOps.sessionEnd)
  if (ended.status === 'repeated') return toRepeated(ended.endedBy)
  if (isBypassed) return { ...noOps.sessionEnd, bypassed: true }
  if (request.reason === 'clear') return noOps.sessionEnd
  return toReply(done.captureJobId)
}

function toRepeated(endedBy: string): SessionEnded {
  return { ...noOps.sessionEnd, skipped: true, duplicateSessionEnd: true, endedBy }
}

function toReply(jobId: string | null | undefined): SessionEnded {
  return jobId
    ? { ...noOps.sessionEnd, queued: true, transcriptCaptureJobId: jobId }
    : { ...noOps.sessionEnd, queued: false }
}

/** The session key or id. Without both, a key derived from the transcript. */
function keyOf({ hook, sessionId, transcript, transcriptPath }: SessionEnd): string | undefined {
  const named = hook.sessionKey ?? toBareKey(sessionId)
  if (named !== undefined) return named
  if (transcript !== undefined)
    return `inline:${createHash('sha256').update(transcript).digest('hex').slice(0, 32)}`
  return transcriptPath === undefined ? undefined : `file:${hook.harness}:${transcriptPath}`
}

/** The user cleared the conversation: it is not captured and its ledger is reset. */
async function forget(
  needs: HooksNeeds,
  db: Db,
  id: { readonly agentId: string; readonly sessionKey: string },
): Promise<void> {
  await needs.sessions.checkpoint(db, { id, trigger: 'session_end', ends: true })
  await resetSessionLedger(needs, db, { id, reason: 'session-clear' })
}

function announce(
  { events }: HooksNeeds,
  { hook, reason }: SessionEnd,
  { sessionKey, prompts = 0 }: { readonly sessionKey: string; readonly prompts?: number },
): void {
  const { caller, harness } = hook
  const { agentId } = caller
  const about = { agentId, harness, session: hashSession(sessionKey) }
  if (reason === undefined || boundaries.has(reason))
    events.emit(sessionEnded, { ...about, reason: reason ?? null })
  else events.emit(sessionTurned, { ...about, reason, prompts })
}

interface ResetRequest {
  readonly id: { readonly agentId: string; readonly sessionKey: string }
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
  await recall.advanceEpoch(db, {
    ...{ agentId, sessionKey, reason },
    sourceRef: checkpoint?.id ?? null,
  })
}
