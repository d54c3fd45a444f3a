import { executeBatch, type Write } from '../../kernel/db/execute-batch.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { closeSession } from './end.ts'
import { presenceChanged } from './events.ts'
import { readSession } from './list.ts'
import type { SessionsNeeds } from './needs.ts'
import { presenceQuery } from './presence.ts'
import {
  type Claim,
  isLive,
  lifetimeOf,
  type RuntimePath,
  type SessionId,
  warningMs,
} from './session.ts'
import {
  deleteBypass,
  isBypassed,
  renewBypassQuery,
  setBypassMark,
  upsertBypass,
} from './store/bypasses.ts'
import { claimQuery, findClaim, markWarned, renewClaim } from './store/claims.ts'
import { findPresence, touchPresence } from './store/presence.ts'

/** The session of a hook. */
export interface EnterRequest extends SessionId {
  readonly harness: string
  readonly project: string | null
  /** Null for a hook without a path. It neither claims nor conflicts. */
  readonly runtimePath: RuntimePath | null
  /** Whether the session appears in presence lists. */
  readonly announcePresence: boolean
}

type EnterResult =
  | {
      readonly status: 'entered'
      /** Whether the session had a live claim or a presence before. */
      readonly existedBefore: boolean
      readonly bypassed: boolean
      readonly warnings: readonly string[]
    }
  | { readonly status: 'refused'; readonly claimedBy: RuntimePath | null }

/** Claims the session for the runtime path or renews its claim. Refused if the other path has it. */
export async function enterSession(
  needs: SessionsNeeds,
  entering: EnterRequest,
): Promise<EnterResult> {
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
  if (!presence) announce(needs, entering)
  // A concurrent call of the other path was first.
  if (entering.runtimePath !== null && claimed === 0)
    return { status: 'refused', claimedBy: (await findClaim(db, entering))?.runtimePath ?? null }
  return {
    status: 'entered',
    existedBefore: live || presence !== undefined,
    bypassed,
    warnings: await listWarnings(needs, entering, live ? before : undefined),
  }
}

function announce({ events }: SessionsNeeds, { agentId, announcePresence }: EnterRequest): void {
  if (announcePresence) events.emit(presenceChanged, { agentId })
}

function isForeign(claim: Claim, { runtimePath }: EnterRequest): boolean {
  return runtimePath !== null && claim.runtimePath !== runtimePath
}

/** The claim is written first. A bypass is renewed with its session. */
function listWrites(
  needs: SessionsNeeds,
  { announcePresence, ...entering }: EnterRequest,
  bypassed: boolean,
): readonly Write[] {
  const { db } = needs
  const { now, expiresAt } = lifetimeOf(needs)
  const { runtimePath, agentId, sessionKey } = entering
  const writes = [
    ...(runtimePath === null ? [] : [claimQuery(db, { ...entering, runtimePath, now, expiresAt })]),
    ...(announcePresence ? [presenceQuery(needs, { ...entering, provider: null })] : []),
  ]
  const isRenewed = bypassed && writes.length > 0
  return isRenewed ? [...writes, renewBypassQuery(db, { agentId, sessionKey, expiresAt })] : writes
}

/** A hook with a path renews the claim, so only hooks without one are warned. */
async function listWarnings(
  { db, host }: SessionsNeeds,
  { runtimePath, ...id }: EnterRequest,
  claim: Claim | undefined,
): Promise<readonly string[]> {
  if (runtimePath !== null || !claim || claim.warned) return []
  const leftMs = new Date(claim.expiresAt).getTime() - host.now().getTime()
  if (leftMs > warningMs || !(await markWarned(db, id))) return []
  return [`The claim of this session expires at ${claim.expiresAt}.`]
}

interface Renewed {
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
    await setBypassMark(db, { ...id, isMarked: enabled })
    return { key: sessionKey, bypassed: enabled }
  })
}
