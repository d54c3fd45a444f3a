import { transaction } from '../../kernel/db/transaction.ts'
import { lifetimeOf } from './lifetime.ts'
import { readSession } from './list.ts'
import type { SessionsNeeds } from './needs.ts'
import type { SessionId } from './session.ts'
import { deleteBypass, upsertBypass } from './store/bypasses.ts'

/** The hooks of a bypassed session have no effect until it ends. */
export async function bypassSession(
  needs: SessionsNeeds,
  { enabled, agentId, sessionKey }: SessionId & { readonly enabled: boolean },
): Promise<{ readonly key: string; readonly bypassed: boolean }> {
  const id = { agentId, sessionKey }
  // One transaction: a concurrent end leaves no bypass for the next session of this key.
  return transaction(needs.db, async (db) => {
    const session = await readSession({ ...needs, db }, id)
    const expiresAt = session.expiresAt ?? lifetimeOf(needs).expiresAt
    await (enabled ? upsertBypass(db, { ...id, expiresAt }) : deleteBypass(db, id))
    return { key: sessionKey, bypassed: enabled }
  })
}
