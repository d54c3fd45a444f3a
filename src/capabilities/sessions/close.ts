import { afterCommit } from '../../kernel/db/transaction.ts'
import { type Ended, endSession } from './end.ts'
import { sessionEnded } from './events.ts'
import { finishSession } from './finish.ts'
import type { ClosingReason, SessionsNeeds } from './needs.ts'
import { hashSession, type SessionId } from './session.ts'

/** Ends what nobody has renewed in time, with all that was heard of it; harmless where somebody just has. */
export function closeSession(
  needs: SessionsNeeds,
  { agentId, sessionKey, harness: known }: SessionId & { readonly harness: string | null },
  reason: ClosingReason,
): Promise<Ended> {
  const id = { agentId, sessionKey }
  const ending = { ...id, runtimePath: null, endMarker: reason, onlyExpired: true }
  return endSession(needs, ending, async (db) => {
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
