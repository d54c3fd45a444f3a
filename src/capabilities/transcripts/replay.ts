import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject } from '../../kernel/auth/permission.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import type { ListedArtifact } from './artifact.ts'
import type { EventScope, LinkedMemory, SessionEventSource, TranscriptsNeeds } from './needs.ts'
import type { EventRef, Replay, SessionActivity, SessionEvent } from './replay-schemas.ts'
import { countArtifacts, listArtifacts } from './store/artifacts.ts'

const maxLabelLength = 96

type ReplayNeeds = Pick<TranscriptsNeeds, 'db' | 'host' | 'eventSources' | 'readMemories'>

const limits = {
  events: 500,
  activeRefs: 80,
  influences: 5,
  refsOfInfluence: 8,
  memories: 200,
} as const

/** Sessions with recorded events, the latest first. */
export async function listSessionActivity(
  needs: ReplayNeeds,
  caller: Caller,
  { project, limit }: { readonly project?: string | undefined; readonly limit: number },
): Promise<SessionActivity[]> {
  const scope = scopeOf(caller, project)
  const latest = await Promise.all(
    sourcesOf(needs).map((source) => source.countEvents(needs.db, scope, { limit })),
  )
  const times = latest.flat().toSorted((a, b) => (a.lastAt < b.lastAt ? 1 : -1))
  const keys = [...new Set(times.map(({ sessionKey }) => sessionKey))].slice(0, limit)
  if (keys.length === 0) return []
  const countsBySource = await countEventsOf(needs, scope, keys)
  return keys.map((sessionKey) => {
    const [artifacts, ...recalls] = countsBySource.map((counts) =>
      counts.find((count) => count.sessionKey === sessionKey),
    )
    const all = [artifacts, ...recalls].filter((count) => count !== undefined)
    const dates = all.map(({ lastAt }) => lastAt).toSorted()
    return {
      sessionKey,
      agentId: scope.agentId,
      project: all.find(({ project }) => project !== null)?.project ?? null,
      lastAt: dates.at(-1) ?? '',
      recallEvents: recalls.reduce((sum, count) => sum + (count?.count ?? 0), 0),
      artifactEvents: artifacts?.count ?? 0,
    }
  })
}

/** Events without a project count for sessions that have an artifact in the project. */
async function countEventsOf(
  { db, eventSources }: ReplayNeeds,
  scope: EventScope,
  keys: readonly string[],
) {
  const limit = keys.length
  const artifacts = await artifactEvents.countEvents(db, scope, { keys, limit })
  const keysWithArtifacts = artifacts.map(({ sessionKey }) => sessionKey)
  const otherKeys = keys.filter((key) => !keysWithArtifacts.includes(key))
  const count = async (
    source: SessionEventSource,
    keys: readonly string[],
    includeUnscoped: boolean,
  ) =>
    keys.length === 0 ? [] : source.countEvents(db, { ...scope, includeUnscoped }, { keys, limit })
  const recalls = await Promise.all(
    eventSources().map(async (source) => [
      ...(await count(source, keysWithArtifacts, true)),
      ...(await count(source, otherKeys, false)),
    ]),
  )
  return [artifacts, ...recalls]
}

/** The latest events of one session in chronological order; empty for an unknown session. */
export async function replaySession(
  needs: ReplayNeeds,
  caller: Caller,
  { sessionKey, project }: { readonly sessionKey: string; readonly project?: string | undefined },
): Promise<Replay> {
  const scope = scopeOf(caller, project)
  const includeUnscoped = await hasArtifact(needs, scope, sessionKey)
  const within = { ...scope, includeUnscoped, sessionKey }
  const lists = await Promise.all(
    sourcesOf(needs).map((source) => source.listEvents(needs.db, within, limits.events)),
  )
  const latest = lists.flat().toSorted(byTime).slice(-limits.events)
  const memories = await needs.readMemories(caller, listMemoryIds(latest))
  const events = latest.map((event) => ({
    ...event,
    refs: event.refs.map((ref) => toLabelledRef(ref, memories)),
  }))
  return {
    sessionKey,
    agentId: scope.agentId,
    generatedAt: needs.host.now().toISOString(),
    eventCount: events.length,
    events,
    frame: toFrame(events),
  }
}

function scopeOf({ agentId, ...caller }: Caller, project: string | undefined): EventScope {
  if (project !== undefined) assertInProject(caller, project)
  return { agentId, project: project ?? caller.scope.project }
}

function sourcesOf({ eventSources }: ReplayNeeds): readonly SessionEventSource[] {
  return [artifactEvents, ...eventSources()]
}

async function hasArtifact(
  { db }: ReplayNeeds,
  scope: EventScope,
  sessionKey: string,
): Promise<boolean> {
  if (scope.project === undefined) return true
  const artifacts = await artifactEvents.countEvents(db, scope, { keys: [sessionKey], limit: 1 })
  return artifacts.length > 0
}

function byTime(a: SessionEvent, b: SessionEvent): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1
  return a.id < b.id ? -1 : 1
}

function listMemoryIds(events: readonly SessionEvent[]): string[] {
  const refs = events.flatMap(({ refs }) => refs).filter(({ kind }) => kind === 'memory')
  return [...new Set(refs.map(({ id }) => id))].slice(-limits.memories)
}

function toLabelledRef(ref: EventRef, memories: readonly LinkedMemory[]): EventRef {
  const memory = ref.kind === 'memory' && memories.find(({ id }) => id === ref.id)
  if (!memory) return ref
  const status = memory.deleted ? 'deleted' : memory.superseded ? 'superseded' : 'active'
  return { ...ref, label: sliceText(memory.content, 0, maxLabelLength), status }
}

function toFrame(events: readonly SessionEvent[]): Replay['frame'] {
  const refs = events.toReversed().flatMap((event) => event.refs)
  const distinct = [...new Map(refs.map((ref) => [`${ref.kind} ${ref.id}`, ref])).values()]
  const influences = events.filter(({ kind }) => kind.includes('recall')).slice(-limits.influences)
  const stale = distinct.filter(({ status }) => status === 'deleted' || status === 'superseded')
  return {
    at: events.at(-1)?.at ?? null,
    activeRefCount: distinct.length,
    activeRefs: distinct.slice(0, limits.activeRefs),
    likelyInfluences: influences.toReversed().map(({ id, at, title, refs }) => ({
      eventId: id,
      at,
      reason: title,
      refs: refs.slice(0, limits.refsOfInfluence),
    })),
    warnings: stale
      .slice(0, limits.activeRefs)
      .map(({ kind, id, status }) => `The ${kind} ${id} is ${status}.`),
  }
}

const artifactEvents: SessionEventSource = {
  countEvents: (db, scope, among) => countArtifacts(db, scope, among),
  listEvents: async (db, scope, limit) =>
    (await listArtifacts(db, { ...scope, limit })).map(toEvent),
}

function toEvent(artifact: ListedArtifact): SessionEvent {
  const { sourcePath, sourceKind, project, harness, sessionId, updatedAt } = artifact
  const label = (artifact.memorySentence ?? sourcePath).slice(0, maxLabelLength)
  return {
    id: `artifact:${sourcePath}`,
    kind: 'artifact.written',
    at: updatedAt,
    title: `The ${sourceKind} was written`,
    detail: artifact.memorySentence ?? sourcePath,
    refs: [{ kind: 'source_artifact', id: sourcePath, label, sourcePath }],
    payload: { project, harness, sessionId },
  }
}
