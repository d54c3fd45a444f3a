import type { Caller } from '../../kernel/auth/caller.ts'
import { isInProject } from '../../kernel/auth/permission.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { lifetimeOf } from './lifetime.ts'
import type { SessionsNeeds } from './needs.ts'
import { isLive, type Session, type SessionId, toSession } from './session.ts'
import { isBypassed, listBypassed } from './store/bypasses.ts'
import { findClaim, listLiveClaims } from './store/claims.ts'
import { findPresence, listPresence } from './store/presence.ts'

/** Of one agent. */
const maxSessions = 500

/** The live sessions of the caller's agent and project, the last claimed first. */
export async function listSessions(
  needs: SessionsNeeds,
  caller: Pick<Caller, 'agentId' | 'scope'>,
): Promise<Session[]> {
  const { agentId } = caller
  const { now, seenAfter } = lifetimeOf(needs)
  const one = { agentId, now, limit: maxSessions }
  const [claims, present, bypassed] = await Promise.all([
    listLiveClaims(needs.db, one),
    listPresence(needs.db, { ...one, agentIds: [agentId], project: undefined, seenAfter }),
    listBypassed(needs.db, one),
  ])
  const claimOf = new Map(claims.map((claim) => [claim.sessionKey, claim]))
  const presenceOf = new Map(
    present.flatMap((each) => (each.sessionKey === null ? [] : [[each.sessionKey, each] as const])),
  )
  const keys = [...new Set([...claimOf.keys(), ...presenceOf.keys()])]
  return keys
    .map((sessionKey) => {
      const known = { claim: claimOf.get(sessionKey), presence: presenceOf.get(sessionKey) }
      return toSession(known, { agentId, sessionKey, bypassed: bypassed.has(sessionKey) })
    })
    .filter(({ project }) => isInProject(caller, project))
    .toSorted((a, b) => b.claimedAt.localeCompare(a.claimedAt))
    .slice(0, maxSessions)
}

export async function findSession(
  needs: SessionsNeeds,
  id: SessionId,
): Promise<Session | undefined> {
  const { now, seenAfter } = lifetimeOf(needs)
  const [found, presence, bypassed] = await Promise.all([
    findClaim(needs.db, id),
    findPresence(needs.db, id, seenAfter),
    isBypassed(needs.db, id, now),
  ])
  const claim = found && isLive(found, needs.host.now()) ? found : undefined
  return claim || presence ? toSession({ claim, presence }, { ...id, bypassed }) : undefined
}

export async function readSession(needs: SessionsNeeds, id: SessionId): Promise<Session> {
  const session = await findSession(needs, id)
  if (!session) throw new Refusal('not_found', 'not_found', 'Session not found')
  return session
}
