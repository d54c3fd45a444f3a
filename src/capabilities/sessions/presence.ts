import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject } from '../../kernel/auth/permission.ts'
import type { Write } from '../../kernel/db/execute-batch.ts'
import { lifetimeOf } from './lifetime.ts'
import type { SessionsNeeds } from './needs.ts'
import { type Presence, type RuntimePath, toPresenceKey } from './session.ts'
import * as store from './store/presence.ts'

export interface Seen {
  readonly agentId: string
  readonly sessionKey: string | null
  readonly harness: string
  readonly project: string | null
  readonly runtimePath: RuntimePath | null
  readonly provider: string | null
}

export type Speaking = Omit<Seen, 'runtimePath' | 'provider'>

export function notePresence(needs: SessionsNeeds, seen: Seen): Promise<Presence> {
  return store.upsertPresence(needs.db, toPresence(needs, seen))
}

/** As a caller says it: its token decides the project that it may name, and the one that counts. */
export function appear(
  needs: SessionsNeeds,
  caller: Caller,
  said: Omit<Seen, 'agentId'>,
): Promise<Presence> {
  const project = said.project ?? caller.scope.project ?? null
  assertInProject(caller, project)
  return notePresence(needs, { ...said, agentId: caller.agentId, project })
}

/**
 * The same, not yet done: a write to go together with others, behind the claim where a path is named, as
 * a session is seen by the path that holds it alone.
 */
export function seeing(needs: SessionsNeeds, seen: Seen): Write {
  const note = seen.runtimePath === null ? store.seeing : store.seeingOwn
  return note(needs.db, toPresence(needs, seen))
}

/**
 * Whoever speaks in a session that has just ended is there, and closed like any other that falls silent.
 * An end takes this row first as well, so that neither waits for the other twice.
 */
export async function staySeen(needs: SessionsNeeds, seen: Speaking): Promise<void> {
  await notePresence(needs, { ...seen, runtimePath: null, provider: null })
}

function toPresence(needs: SessionsNeeds, seen: Seen): Presence {
  const { now } = lifetimeOf(needs)
  return { ...seen, key: toPresenceKey(seen), startedAt: now, lastSeenAt: now }
}

export interface PresenceRequest {
  readonly sessionKey: string | undefined
  readonly project: string | undefined
  readonly includeSelf: boolean
  readonly limit: number
}

/** Who else is there, as far as the caller's agent may read the others. */
export async function listPresence(
  { db, agents, ...needs }: SessionsNeeds,
  caller: Caller,
  { sessionKey, project, includeSelf, limit }: PresenceRequest,
): Promise<Presence[]> {
  const { policy, groupAgents, project: only } = await agents.readScopeOf(db, caller)
  if (only !== null && project !== undefined && project !== only) return []
  const { agentId } = caller
  const readable = { isolated: [agentId], shared: undefined, group: groupAgents }[policy]
  const { seenAfter } = lifetimeOf({ ...needs })
  const wanted = { agentIds: readable, project: project ?? only ?? undefined, seenAfter }
  const isSelf = (presence: Presence) =>
    presence.agentId === agentId && (sessionKey === undefined || presence.sessionKey === sessionKey)
  // An agent's own sessions are left out afterwards, so there must be some to replace them.
  const found = await store.listPresence(db, { ...wanted, limit: includeSelf ? limit : limit * 4 })
  return found.filter((each) => includeSelf || !isSelf(each)).slice(0, limit)
}

export async function removePresence(
  needs: SessionsNeeds,
  { agentId, sessionKey }: { readonly agentId: string; readonly sessionKey: string },
): Promise<{ readonly removed: boolean }> {
  const gone = { agentId, sessionKey, harness: '', project: null }
  return { removed: await forgetPresence(needs, gone) }
}

/** Whether it was there. */
export function forgetPresence({ db }: SessionsNeeds, gone: Speaking): Promise<boolean> {
  return store.deletePresence(db, { agentId: gone.agentId, key: toPresenceKey(gone) })
}

export interface PeersRequest {
  readonly agentId: string
  readonly sessionKey: string | null
  readonly project: string
  readonly agentIds: readonly string[] | undefined
  readonly limit: number
}

/** Other sessions in the same project, the last seen first. */
export async function findPeers(
  needs: SessionsNeeds,
  { agentId, sessionKey, project, agentIds, limit }: PeersRequest,
): Promise<Presence[]> {
  const { seenAfter } = lifetimeOf(needs)
  const found = await store.listPresence(needs.db, {
    ...{ agentIds, project, seenAfter },
    limit: limit + 1,
  })
  return found
    .filter((each) => each.agentId !== agentId || each.sessionKey !== sessionKey)
    .slice(0, limit)
}
