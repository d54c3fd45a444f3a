import { transaction } from '../../kernel/db/transaction.ts'
import { lifetimeOf } from './lifetime.ts'
import { readSession } from './list.ts'
import type { SessionsNeeds } from './needs.ts'
import type { SessionId } from './session.ts'
import { deleteBypass, upsertBypass } from './store/bypasses.ts'

/** A bypassed session's hooks answer without doing anything, for as long as it lives. */
export async function bypassSession(
  needs: SessionsNeeds,
  { enabled, agentId, sessionKey }: SessionId & { readonly enabled: boolean },
): Promise<{ readonly key: string; readonly bypassed: boolean }> {
  const id = { agentId, sessionKey }
  // At once with the look at it: of a session that ends meanwhile no bypass is left to the next.
  return transaction(needs.db, async (db) => {
    const session = await readSession({ ...needs, db }, id)
    const expiresAt = session.expiresAt ?? lifetimeOf(needs).expiresAt
    await (enabled ? upsertBypass(db, { ...id, expiresAt }) : deleteBypass(db, id))
    return { key: sessionKey, bypassed: enabled }
  })
}
