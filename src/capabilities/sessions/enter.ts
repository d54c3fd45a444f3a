import { executeBatch, type Write } from '../../kernel/db/execute-batch.ts'
import { closeSession } from './close.ts'
import { lifetimeOf } from './lifetime.ts'
import type { SessionsNeeds } from './needs.ts'
import { seeing } from './presence.ts'
import { type Claim, isLive, type RuntimePath, type SessionId, warningMs } from './session.ts'
import { isBypassed, renewingBypass } from './store/bypasses.ts'
import { claiming, findClaim, markWarned } from './store/claims.ts'
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
  if (live && isForeign(before, entering))
    return { status: 'refused', claimedBy: before.runtimePath }
  if (before?.state === 'active' && !live) await closeSession(needs, before, 'expired')
  const writes = listWrites(needs, entering, bypassed)
  const [claimed] = writes.length === 0 ? [] : await executeBatch(db, writes)
  // Of those who came at once another one was first.
  if (entering.runtimePath !== null && claimed === 0)
    return { status: 'refused', claimedBy: (await findClaim(db, entering))?.runtimePath ?? null }
  return {
    status: 'entered',
    known: live || presence !== undefined,
    bypassed,
    warnings: await listWarnings(needs, entering, live ? before : undefined),
  }
}

function isForeign(held: Claim, { runtimePath }: Entering): boolean {
  return runtimePath !== null && held.runtimePath !== runtimePath
}

/** The claim first, where there is one; a bypass lasts as long as its session is claimed or seen. */
function listWrites(
  needs: SessionsNeeds,
  { appears, ...entering }: Entering,
  bypassed: boolean,
): readonly Write[] {
  const { db } = needs
  const { now, expiresAt } = lifetimeOf(needs)
  const { runtimePath, agentId, sessionKey } = entering
  const writes = [
    ...(runtimePath === null ? [] : [claiming(db, { ...entering, runtimePath, now, expiresAt })]),
    ...(appears ? [seeing(needs, { ...entering, provider: null })] : []),
  ]
  const isRenewed = bypassed && writes.length > 0
  return isRenewed ? [...writes, renewingBypass(db, { agentId, sessionKey, expiresAt })] : writes
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
