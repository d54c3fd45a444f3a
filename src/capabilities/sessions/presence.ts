import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject } from '../../kernel/auth/permission.ts'
import type { Write } from '../../kernel/db/execute-batch.ts'
import { presenceChanged } from './events.ts'
import type { SessionsNeeds } from './needs.ts'
import { lifetimeOf, type Presence, type RuntimePath, toPresenceKey } from './session.ts'

import * as store from './store/presence.ts'

export interface PresenceInput {
  readonly agentId: string
  readonly sessionKey: string | null
  readonly harness: string
  readonly project: string | null
  readonly runtimePath: RuntimePath | null
  readonly provider: string | null
}

export type SessionActor = Omit<PresenceInput, 'runtimePath' | 'provider'>

export async function recordPresence(
  needs: SessionsNeeds,
  input: PresenceInput,
): Promise<Presence> {
  const presence = await store.upsertPresence(needs.db, toPresence(needs, input))
  needs.events.emit(presenceChanged, { agentId: input.agentId })
  return presence
}

/** The scope of the caller's token limits the project and is its default. */
export function recordCallerPresence(
  needs: SessionsNeeds,
  caller: Caller,
  input: Omit<PresenceInput, 'agentId'>,
): Promise<Presence> {
  const project = input.project ?? caller.scope.project ?? null
  assertInProject(caller, project)
  return recordPresence(needs, { ...input, agentId: caller.agentId, project })
}

/** The same as a query for a batch. With a runtime path, it has an effect only if that path has the claim. */
export function presenceQuery(needs: SessionsNeeds, input: PresenceInput): Write {
  const query =
    input.runtimePath === null ? store.upsertPresenceQuery : store.upsertClaimedPresenceQuery
  return query(needs.db, toPresence(needs, input))
}

/** Runs before other writes of a session: an end locks this row first as well, which avoids deadlocks. */
export async function touchPresence(needs: SessionsNeeds, actor: SessionActor): Promise<void> {
  const unclaimed = { ...actor, runtimePath: null, provider: null }
  await store.upsertPresence(needs.db, toPresence(needs, unclaimed))
}

function toPresence(needs: SessionsNeeds, input: PresenceInput): Presence {
  const { now } = lifetimeOf(needs)
  return { ...input, key: toPresenceKey(input), startedAt: now, lastSeenAt: now }
}

export interface PresenceRequest {
  readonly sessionKey: string | undefined
  readonly project: string | undefined
  readonly includeSelf: boolean
  readonly limit: number
}

/** The presences that the read policy of the caller's agent allows. */
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
  const filter = { agentIds: readable, project: project ?? only ?? undefined, seenAfter }
  const isSelf = (presence: Presence) =>
    presence.agentId === agentId && (sessionKey === undefined || presence.sessionKey === sessionKey)
  // The filter below removes the caller's sessions, so the query reads more rows.
  const presences = await store.listPresence(db, {
    ...filter,
    limit: includeSelf ? limit : limit * 4,
  })
  return presences.filter((each) => includeSelf || !isSelf(each)).slice(0, limit)
}

export async function removePresence(
  needs: SessionsNeeds,
  { agentId, sessionKey }: { readonly agentId: string; readonly sessionKey: string },
): Promise<{ readonly removed: boolean }> {
  const actor = { agentId, sessionKey, harness: '', project: null }
  return { removed: await endPresence(needs, actor) }
}

/** False for an unknown presence. */
export async function endPresence(
  { db, events }: SessionsNeeds,
  actor: SessionActor,
): Promise<boolean> {
  const { agentId } = actor
  const isRemoved = await store.deletePresence(db, { agentId, key: toPresenceKey(actor) })
  if (isRemoved) events.emit(presenceChanged, { agentId })
  return isRemoved
}

export interface PeersRequest {
  readonly agentId: string
  readonly sessionKey: string | null
  readonly project: string
  readonly agentIds: readonly string[] | undefined
  readonly limit: number
}

/** Other sessions in the same project, most recently seen first. */
export async function findPeers(
  needs: SessionsNeeds,
  { agentId, sessionKey, project, agentIds, limit }: PeersRequest,
): Promise<Presence[]> {
  const { seenAfter } = lifetimeOf(needs)
  const presences = await store.listPresence(needs.db, {
    agentIds,
    project,
    seenAfter,
    limit: limit + 1,
  })
  return presences
    .filter((each) => each.agentId !== agentId || each.sessionKey !== sessionKey)
    .slice(0, limit)
}
