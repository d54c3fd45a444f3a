import type { Caller } from '../../kernel/auth/caller.ts'
import { isInProject, outOfScope } from '../../kernel/auth/permission.ts'
import { notFound } from '../../kernel/errors/refusal.ts'
import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { SessionsNeeds } from './needs.ts'
import {
  isLive,
  lifetimeOf,
  type Session,
  type SessionId,
  toBareKey,
  toSession,
} from './session.ts'
import { listActiveRows } from './store/active.ts'
import { countBypassed, isBypassed, listBypassed } from './store/bypasses.ts'
import { countLiveClaims, findClaim, listLiveClaims } from './store/claims.ts'
import { findPresence, listPresence, listProjects } from './store/presence.ts'

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

/** Rows that show whether one agent alone has the session: a claim and a presence of each. */
const maxActiveRows = 4

/** The agents with an active session of this key, claimed or only present. */
export async function listActive(
  needs: SessionsNeeds,
  sessionKey: string,
  agentIds: readonly string[] | undefined,
): Promise<readonly Pick<Session, 'agentId' | 'project'>[]> {
  if (agentIds?.length === 0) return []
  const rows = await listActiveRows(needs.db, {
    ...lifetimeOf(needs),
    sessionKey,
    agentIds,
    limit: maxActiveRows,
  })
  const projects = new Map<string, string | null>()
  for (const { agentId, project } of rows)
    projects.set(agentId, project ?? projects.get(agentId) ?? null)
  return [...projects].map(([agentId, project]) => ({ agentId, project }))
}

export async function findSession(
  needs: SessionsNeeds,
  id: SessionId,
): Promise<Session | undefined> {
  const { now, seenAfter } = lifetimeOf(needs)
  const [ownClaim, presence, bypassed] = await Promise.all([
    findClaim(needs.db, id),
    findPresence(needs.db, id, seenAfter),
    isBypassed(needs.db, id, now),
  ])
  const claim = ownClaim && isLive(ownClaim, needs.host.now()) ? ownClaim : undefined
  return claim || presence ? toSession({ claim, presence }, { ...id, bypassed }) : undefined
}

export async function readSession(needs: SessionsNeeds, id: SessionId): Promise<Session> {
  const session = await findSession(needs, id)
  if (!session) throw notFound('Session not found')
  return session
}

/**
 * Refuses a session that is stored under another project than that of the token, or under none. A
 * session that is stored nowhere passes: it is about to be stored under the project of the token.
 */
export async function assertInScope(
  { db, transcripts }: Pick<SessionsNeeds, 'db' | 'transcripts'>,
  { agentId, scope }: Pick<Caller, 'agentId' | 'scope'>,
  key: string | undefined,
): Promise<void> {
  const sessionKey = toBareKey(key)
  if (scope.project === undefined || sessionKey === undefined) return
  const id = { agentId, sessionKey }
  const stored = await Promise.all([listProjects(db, id), transcripts.listProjects(db, id)])
  const all = stored.flat()
  const named = all.filter((project) => project !== null)
  const isForeign = named.some((project) => project !== scope.project)
  if (isForeign || (all.length > 0 && named.length === 0))
    throw outOfScope('project', scope.project)
}

export function sessionsHealth(needs: SessionsNeeds): HealthCheck {
  return {
    name: 'sessions',
    check: async () => {
      const { now } = lifetimeOf(needs)
      const [active, bypassed] = await Promise.all([
        countLiveClaims(needs.db, now),
        countBypassed(needs.db, now),
      ])
      return toHealth([], { lifecycle: 'enabled', active, bypassed })
    },
  }
}
