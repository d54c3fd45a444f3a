import { afterCommit } from '../../kernel/db/transaction.ts'
import { type EndResult, endSession } from './end.ts'
import { sessionEnded } from './events.ts'
import { finishSession } from './finish.ts'
import type { ClosingReason, SessionsNeeds } from './needs.ts'
import { hashSession, type SessionId } from './session.ts'

/** Ends a session whose claim has expired. Has no effect if the claim was renewed meanwhile. */
export function closeSession(
  needs: SessionsNeeds,
  { agentId, sessionKey, harness: known }: SessionId & { readonly harness: string | null },
  reason: ClosingReason,
): Promise<EndResult> {
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
