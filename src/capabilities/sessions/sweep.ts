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
/** After this a session is told its beginning anew. */
export const startDays = 7
const scoreDays = 90
/** While so many captures wait, no session is closed that would add to them. */
const busyCaptures = 20

/** Closes sessions that nobody renews or sees any more; gives how many. */
export async function sweepSessions(needs: SessionsNeeds): Promise<number> {
  const { db, host, config, transcripts } = needs
  const { now, forgottenBefore } = lifetimeOf(needs)
  const { continuity } = config()
  const closed = (await transcripts.countWaiting()) < busyCaptures ? await closeStale(needs) : 0
  const before = (days: number) => new Date(host.now().getTime() - days * dayMs).toISOString()
  await deleteTombstones(db, forgottenBefore)
  await deleteExpiredBypasses(db, now)
  const unkept = before(continuity.retentionDays)
  await deleteWindowsBefore(db, unkept)
  await transcripts.deleteCheckpointsBefore(db, unkept)
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
    // What was never claimed has no end of its own either.
    if (sessionKey !== null)
      await closeSession(needs, { agentId, sessionKey, harness }, 'stale-session-sweep')
    await deletePresence(db, { agentId, key })
  }
  return expired.length
}
