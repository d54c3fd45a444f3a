import { type Ended, endSession } from './end.ts'
import { finishSession } from './finish.ts'
import type { SessionsNeeds } from './needs.ts'
import type { SessionId } from './session.ts'

/** Why a session was closed that never said its end. */
type ClosingReason = 'expired' | 'stale-session-sweep'

/** Ends what nobody has renewed in time, with all that was heard of it; harmless where somebody just has. */
export function closeSession(
  needs: SessionsNeeds,
  { agentId, sessionKey }: SessionId,
  reason: ClosingReason,
): Promise<Ended> {
  const id = { agentId, sessionKey }
  const ending = { ...id, runtimePath: null, endMarker: reason, onlyExpired: true }
  return endSession(needs, ending, async (db) => {
    await finishSession(needs, db, { ...id, harness: null, project: null })
  })
}
