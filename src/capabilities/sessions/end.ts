import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { lifetimeOf } from './lifetime.ts'
import type { SessionsNeeds } from './needs.ts'
import { type RuntimePath, type SessionId, toPresenceKey } from './session.ts'
import { deleteBypass } from './store/bypasses.ts'
import { endClaim, findClaim } from './store/claims.ts'
import { deletePresence } from './store/presence.ts'

export interface Ending extends SessionId {
  readonly runtimePath: RuntimePath | null
  /** Told to whoever ends it once more. */
  readonly endMarker: string
  /** Of a session that was never claimed. */
  readonly project?: string | null
  /** Leaves alone what has not expired. */
  readonly onlyExpired?: boolean
}

export type Ended =
  | { readonly status: 'ended' }
  | { readonly status: 'repeated'; readonly endedBy: string }
  | { readonly status: 'refused'; readonly claimedBy: RuntimePath | null }

/** Ends once: `finish` is part of it, and of those who end at the same moment only one does it. */
export function endSession(
  needs: SessionsNeeds,
  ending: Ending,
  finish: (db: Db) => Promise<void>,
): Promise<Ended> {
  const { now: endedAt, forgottenBefore } = lifetimeOf(needs)
  return transaction(needs.db, async (db): Promise<Ended> => {
    if (!(await endClaim(db, { ...ending, endedAt, forgottenBefore }))) {
      const claim = await findClaim(db, ending)
      return claim?.state === 'ended'
        ? { status: 'repeated', endedBy: claim.endMarker ?? 'unknown' }
        : { status: 'refused', claimedBy: claim?.runtimePath ?? null }
    }
    await leave(db, ending)
    await finish(db)
    return { status: 'ended' }
  })
}

/** Takes away what lasts no longer than the session. */
async function leave(db: Db, id: SessionId): Promise<void> {
  const key = toPresenceKey({ ...id, harness: '', project: null })
  await deletePresence(db, { agentId: id.agentId, key })
  await deleteBypass(db, id)
}
