import { transaction } from '../../kernel/db/transaction.ts'
import { closeSession } from './close.ts'
import { lifetimeOf } from './lifetime.ts'
import type { SessionsNeeds } from './needs.ts'
import { notePresence } from './presence.ts'
import { type Claim, isLive, type RuntimePath, type SessionId, warningMs } from './session.ts'
import { isBypassed, renewBypass } from './store/bypasses.ts'
import { findClaim, markWarned, upsertClaim } from './store/claims.ts'
import { findPresence } from './store/presence.ts'

/** What a hook says of the session it speaks for. */
export interface Entering extends SessionId {
  readonly harness: string
  readonly project: string | null
  /** Null for a hook that names none: it claims nothing and is refused nothing. */
  readonly runtimePath: RuntimePath | null
  /** Whether others are to see that the session is there. */
  readonly appears: boolean
}

export type Entered =
  | {
      readonly status: 'entered'
      /** Whether the session was live or present before. */
      readonly known: boolean
      readonly bypassed: boolean
      readonly warnings: readonly string[]
    }
  | { readonly status: 'refused'; readonly claimedBy: RuntimePath | null }

/** Claims the session for the path that asks, or renews its claim, or tells who holds it. */
export async function enterSession(needs: SessionsNeeds, entering: Entering): Promise<Entered> {
  const { db, host } = needs
  const { seenAfter, now } = lifetimeOf(needs)
  const [before, presence, bypassed] = await Promise.all([
    findClaim(db, entering),
    findPresence(db, entering, seenAfter),
    isBypassed(db, entering, now),
  ])
  const live = before !== undefined && isLive(before, host.now())
  if (before?.state === 'active' && !live) await closeSession(needs, before, 'expired')
  const claimed = await claim(needs, entering, bypassed)
  if (claimed.status === 'refused') return claimed
  return {
    status: 'entered',
    known: live || presence !== undefined,
    bypassed,
    warnings: await listWarnings(needs, entering, live ? before : undefined),
  }
}

function claim(needs: SessionsNeeds, { appears, ...entering }: Entering, bypassed: boolean) {
  const { now, expiresAt } = lifetimeOf(needs)
  const { runtimePath, agentId, sessionKey } = entering
  return transaction(needs.db, async (db) => {
    if (runtimePath !== null) {
      if (!(await upsertClaim(db, { ...entering, runtimePath, now, expiresAt }))) {
        const held = await findClaim(db, entering)
        return { status: 'refused', claimedBy: held?.runtimePath ?? null } as const
      }
      if (bypassed) await renewBypass(db, { agentId, sessionKey, expiresAt })
    }
    if (appears) await notePresence({ ...needs, db }, { ...entering, provider: null })
    return { status: 'entered' } as const
  })
}

/** Whoever claims renews, so only those who do not can see a claim run out. */
async function listWarnings(
  { db, host }: SessionsNeeds,
  { runtimePath, ...id }: Entering,
  claim: Claim | undefined,
): Promise<readonly string[]> {
  if (runtimePath !== null || !claim || claim.warned) return []
  const leftMs = new Date(claim.expiresAt).getTime() - host.now().getTime()
  if (leftMs > warningMs || !(await markWarned(db, id))) return []
  return [`The claim of this session expires at ${claim.expiresAt}.`]
}
