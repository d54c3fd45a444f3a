import { closeSession } from './close.ts'
import { lifetimeOf } from './lifetime.ts'
import type { SessionsNeeds } from './needs.ts'
import { deleteExpiredBypasses } from './store/bypasses.ts'
import { deleteTombstones, listExpiredClaims } from './store/claims.ts'
import { deletePresence, listSilent } from './store/presence.ts'
import { deleteScoresBefore } from './store/scores.ts'
import { deleteStartsBefore } from './store/starts.ts'
import { deleteWindowsBefore } from './store/windows.ts'

const dayMs = 86_400_000
/** After this a session gets its full start context again. */
export const startDays = 7
const scoreDays = 90
/** The sweep closes no sessions while this many captures are pending. */
const maxPendingCaptures = 20

/** Closes expired sessions and returns their count. Deletes expired rows. */
export async function sweepSessions(needs: SessionsNeeds): Promise<number> {
  const { db, host, config, transcripts } = needs
  const { now, forgottenBefore } = lifetimeOf(needs)
  const { continuity } = config()
  const closed =
    (await transcripts.countWaiting()) < maxPendingCaptures ? await closeStale(needs) : 0
  const before = (days: number) => new Date(host.now().getTime() - days * dayMs).toISOString()
  await deleteTombstones(db, forgottenBefore)
  await deleteExpiredBypasses(db, now)
  const expiry = before(continuity.retentionDays)
  await deleteWindowsBefore(db, expiry)
  await transcripts.deleteCheckpointsBefore(db, expiry)
  await deleteStartsBefore(db, before(startDays))
  await deleteScoresBefore(db, before(scoreDays))
  return closed
}

async function closeStale(needs: SessionsNeeds): Promise<number> {
  const { db, config } = needs
  const { now, seenAfter } = lifetimeOf(needs)
  const { closeAtOnce } = config()
  const expired = await listExpiredClaims(db, now, closeAtOnce)
  for (const claim of expired) await closeSession(needs, claim, 'stale-session-sweep')
  const silent = await listSilent(db, seenAfter, closeAtOnce)
  for (const { agentId, key, sessionKey, harness } of silent) {
    // A presence without a session key has no session to end.
    if (sessionKey !== null)
      await closeSession(needs, { agentId, sessionKey, harness }, 'stale-session-sweep')
    await deletePresence(db, { agentId, key })
  }
  return expired.length
}
