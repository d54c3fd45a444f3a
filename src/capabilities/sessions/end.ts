import type { Db } from '../../kernel/db/database.ts'
import { afterCommit, transaction } from '../../kernel/db/transaction.ts'
import { daysAgo } from '../../kernel/host/host.ts'
import type { ReadTranscript } from '../transcripts/index.ts'
import { checkpoint } from './continuity.ts'
import { presenceChanged, sessionEnded } from './events.ts'
import type { ClosingReason, SessionsNeeds } from './needs.ts'
import { type Score, scoreSession } from './score.ts'
import {
  hashSession,
  lifetimeOf,
  type RuntimePath,
  type SessionId,
  toPresenceKey,
} from './session.ts'
import { deleteBypass, deleteExpiredBypasses } from './store/bypasses.ts'
import { deleteTombstones, endClaim, findClaim, listExpiredClaims } from './store/claims.ts'
import { deletePresence, listSilent } from './store/presence.ts'
import { deleteScoresBefore, insertScore, listInjected } from './store/scores.ts'
import { deleteStartsBefore, deleteWindowsBefore, findWindow } from './store/windows.ts'

export interface EndRequest extends SessionId {
  readonly runtimePath: RuntimePath | null
  /** Returned to repeated ends. */
  readonly endMarker: string
  /** Of a session that was never claimed. */
  readonly project?: string | null
  /** Ends the session only if its claim has expired. */
  readonly onlyExpired?: boolean
}

type EndResult =
  | { readonly status: 'ended' }
  | { readonly status: 'repeated'; readonly endedBy: string }
  | { readonly status: 'refused'; readonly claimedBy: RuntimePath | null }

/** Ends a session once. `finish` runs in the same transaction, for one of several concurrent ends. */
export function endSession(
  needs: SessionsNeeds,
  endRequest: EndRequest,
  finish: (db: Db) => Promise<void>,
): Promise<EndResult> {
  const { now: endedAt, forgottenBefore } = lifetimeOf(needs)
  return transaction(needs.db, async (db): Promise<EndResult> => {
    if (!(await endClaim(db, { ...endRequest, endedAt, forgottenBefore }))) {
      const claim = await findClaim(db, endRequest)
      return claim?.state === 'ended'
        ? { status: 'repeated', endedBy: claim.endMarker ?? 'unknown' }
        : { status: 'refused', claimedBy: claim?.runtimePath ?? null }
    }
    await leave(db, endRequest)
    afterCommit(db, () => needs.events.emit(presenceChanged, { agentId: endRequest.agentId }))
    await finish(db)
    return { status: 'ended' }
  })
}

/** Deletes the presence and the bypass of the session. */
async function leave(db: Db, id: SessionId): Promise<void> {
  const key = toPresenceKey({ ...id, harness: '', project: null })
  await deletePresence(db, { agentId: id.agentId, key })
  await deleteBypass(db, id)
}

/** Ends a session whose claim has expired. Has no effect if the claim was renewed in between. */
export function closeSession(
  needs: SessionsNeeds,
  { agentId, sessionKey, harness: known }: SessionId & { readonly harness: string | null },
  reason: ClosingReason,
): Promise<EndResult> {
  const id = { agentId, sessionKey }
  const endRequest = { ...id, runtimePath: null, endMarker: reason, onlyExpired: true }
  return endSession(needs, endRequest, async (db) => {
    const { harness } = await finishSession(needs, db, { ...id, harness: known, project: null })
    afterCommit(db, () =>
      needs.events.emit(sessionEnded, {
        agentId,
        harness,
        session: hashSession(sessionKey),
        reason,
      }),
    )
  })
}

/** Maximum injected memories that are scored. */
const maxScoredMemories = 50
/** Characters at the end of the transcript that are scored. */
const maxScoredCharacters = 200_000

export interface FinishRequest extends SessionId {
  readonly sessionId?: string | undefined
  /** Null for the harness of the window or the transcript. */
  readonly harness: string | null
  readonly project: string | null
  readonly read?: ReadTranscript | undefined
  readonly capturedAt?: string | undefined
}

/**
 * Saves the checkpoint, the transcript and the score of a session at its end. The harness is `unknown` if
 * no row names it; an empty transcript has no capture job.
 */
export async function finishSession(needs: SessionsNeeds, db: Db, finishing: FinishRequest) {
  const { transcripts } = needs
  const { agentId, sessionKey, sessionId, read, capturedAt } = finishing
  const window = await findWindow(db, finishing)
  const before = await transcripts.findOrigin(db, finishing)
  const harness = finishing.harness ?? window?.harness ?? before?.harness ?? 'unknown'
  const project = [before, window, finishing].find((each) => each?.project)?.project ?? null
  await checkpoint(needs, db, { id: finishing, trigger: 'session_end', ends: true })
  const saved = await transcripts.saveSnapshot(db, {
    agentId,
    sessionKey,
    sessionId,
    harness,
    read,
    capturedAt,
    complete: true,
    project: project ?? undefined,
  })
  const transcript = saved?.transcript.content.slice(-maxScoredCharacters) ?? ''
  await saveScore(needs, db, { agentId, sessionKey, harness, project, transcript })
  const captureJobId = saved ? await transcripts.enqueueCapture(db, saved) : null
  return { harness, prompts: window?.promptCount ?? 0, captureJobId }
}

async function saveScore(
  { host, memory }: SessionsNeeds,
  db: Db,
  {
    transcript,
    ...session
  }: Pick<Score, 'agentId' | 'sessionKey' | 'harness' | 'project'> & {
    readonly transcript: string
  },
) {
  const memories = await memory.listByIds(db, await listInjected(db, session, maxScoredMemories))
  const result = scoreSession({ injected: memories.map(({ content }) => content), transcript })
  const createdAt = host.now().toISOString()
  await insertScore(db, { ...session, ...result, id: host.newId(), createdAt })
}

/** After this a session gets its full start context again. */
export const startDays = 7
const scoreDays = 90
/** A start asks how an earlier session ended. */
const tombstoneDays = 1
const sweepMarker = 'stale-session-sweep'
/** End markers of sessions that broke off. */
const closingReasons: readonly string[] = ['expired', sweepMarker] satisfies ClosingReason[]
/** The sweep closes no sessions while this many captures are pending. */
const maxPendingCaptures = 20

/** Closes expired sessions and returns their count. Deletes expired rows. */
export async function sweepSessions(needs: SessionsNeeds): Promise<number> {
  const { db, host, config, transcripts } = needs
  const { now } = lifetimeOf(needs)
  const { continuity } = config()
  const closed =
    (await transcripts.countWaiting()) < maxPendingCaptures ? await closeStale(needs) : 0
  await deleteTombstones(db, daysAgo(host, tombstoneDays))
  await deleteExpiredBypasses(db, now)
  const expiry = daysAgo(host, continuity.retentionDays)
  await deleteWindowsBefore(db, expiry)
  await transcripts.deleteCheckpointsBefore(db, expiry)
  await deleteStartsBefore(db, daysAgo(host, startDays))
  await deleteScoresBefore(db, daysAgo(host, scoreDays))
  return closed
}

async function closeStale(needs: SessionsNeeds): Promise<number> {
  const { db, config } = needs
  const { now, seenAfter } = lifetimeOf(needs)
  const { sweepBatchSize } = config()
  const expired = await listExpiredClaims(db, now, sweepBatchSize)
  for (const claim of expired) await closeSession(needs, claim, sweepMarker)
  const silent = await listSilent(db, seenAfter, sweepBatchSize)
  for (const { agentId, key, sessionKey, harness } of silent) {
    // A presence without a session key has no session to end.
    if (sessionKey !== null)
      await closeSession(needs, { agentId, sessionKey, harness }, sweepMarker)
    await deletePresence(db, { agentId, key })
  }
  return expired.length
}

/** Whether the harness ended the session at or after a time, ISO. */
export async function wasEndedByHarness(db: Db, id: SessionId, since: string): Promise<boolean> {
  const claim = await findClaim(db, id)
  if (claim?.state !== 'ended' || (claim.endedAt ?? '') < since) return false
  return !closingReasons.includes(claim.endMarker ?? '')
}
