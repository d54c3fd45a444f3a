import { transaction } from '../../kernel/db/transaction.ts'
import { lifetimeOf } from './lifetime.ts'
import { readSession } from './list.ts'
import type { SessionsNeeds } from './needs.ts'
import type { SessionId } from './session.ts'
import { renewBypassQuery } from './store/bypasses.ts'
import { renewClaim } from './store/claims.ts'
import { touchPresence } from './store/presence.ts'

export interface Renewed {
  readonly key: string
  readonly renewed: true
  /** Undefined for a session that is only present. */
  readonly expiresAt: string | undefined
}

export function renewSession(needs: SessionsNeeds, id: SessionId): Promise<Renewed> {
  const { now, expiresAt } = lifetimeOf(needs)
  return transaction(needs.db, async (db) => {
    await readSession({ ...needs, db }, id)
    const claim = await renewClaim(db, id, { now, expiresAt })
    await touchPresence(db, id, now)
    await renewBypassQuery(db, { ...id, expiresAt }).execute()
    return { key: id.sessionKey, renewed: true, expiresAt: claim?.expiresAt }
  })
}
