import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { lifetimeOf } from './lifetime.ts'
import type { SessionsNeeds } from './needs.ts'
import { type RuntimePath, type SessionId, toPresenceKey } from './session.ts'
import { deleteBypass } from './store/bypasses.ts'
import { endClaim, findClaim } from './store/claims.ts'
import { deletePresence } from './store/presence.ts'

export interface EndRequest extends SessionId {
  readonly runtimePath: RuntimePath | null
  /** Returned to repeated ends. */
  readonly endMarker: string
  /** Of a session that was never claimed. */
  readonly project?: string | null
  /** Ends the session only if its claim has expired. */
  readonly onlyExpired?: boolean
}

export type EndResult =
  | { readonly status: 'ended' }
  | { readonly status: 'repeated'; readonly endedBy: string }
  | { readonly status: 'refused'; readonly claimedBy: RuntimePath | null }

/** Ends a session once. `finish` runs in the same transaction, for one of several concurrent ends. */
export function endSession(
  needs: SessionsNeeds,
  ending: EndRequest,
  finish: (db: Db) => Promise<void>,
): Promise<EndResult> {
  const { now: endedAt, forgottenBefore } = lifetimeOf(needs)
  return transaction(needs.db, async (db): Promise<EndResult> => {
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

/** Deletes the presence and the bypass of the session. */
async function leave(db: Db, id: SessionId): Promise<void> {
  const key = toPresenceKey({ ...id, harness: '', project: null })
  await deletePresence(db, { agentId: id.agentId, key })
  await deleteBypass(db, id)
}
