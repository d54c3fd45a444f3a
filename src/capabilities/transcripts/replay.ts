import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject } from '../../kernel/auth/permission.ts'
import { artifactEvidence } from './artifact-evidence.ts'
import {
  type BlackBoxEvent,
  type EventRef,
  type EvidenceScope,
  type EvidenceSource,
  longestLabel,
} from './black-box.ts'
import type { LinkedMemory, TranscriptsNeeds } from './needs.ts'

type ReplayNeeds = Pick<TranscriptsNeeds, 'db' | 'host' | 'evidence' | 'memoriesOf'>

const most = {
  events: 500,
  activeRefs: 80,
  influences: 5,
  refsOfInfluence: 8,
  memories: 200,
} as const

export interface BlackBoxSession {
  readonly sessionKey: string
  readonly agentId: string
  readonly project: string | null
  readonly lastAt: string
  readonly recallEvents: number
  readonly artifactEvents: number
}

/** The sessions of which anything is known, the latest first. */
export async function listBlackBoxes(
  needs: ReplayNeeds,
  caller: Caller,
  { project, limit }: { readonly project?: string | undefined; readonly limit: number },
): Promise<readonly BlackBoxSession[]> {
  const scope = scopeOf(caller, project)
  const latest = await Promise.all(
    sourcesOf(needs).map((source) => source.countEvents(needs.db, scope, { limit })),
  )
  const times = latest.flat().toSorted((a, b) => (a.lastAt < b.lastAt ? 1 : -1))
  const keys = [...new Set(times.map(({ sessionKey }) => sessionKey))].slice(0, limit)
  if (keys.length === 0) return []
  const counted = await countIn(needs, scope, keys)
  return keys.map((sessionKey) => {
    const [artifacts, ...recalls] = counted.map((counts) =>
      counts.find((count) => count.sessionKey === sessionKey),
    )
    const all = [artifacts, ...recalls].filter((count) => count !== undefined)
    const lastAt =
      all
        .map((count) => count.lastAt)
        .toSorted()
        .at(-1) ?? ''
    const recallEvents = recalls.reduce((sum, count) => sum + (count?.count ?? 0), 0)
    return {
      ...{ sessionKey, agentId: scope.agentId, lastAt, recallEvents },
      project: all.find((count) => count.project !== null)?.project ?? null,
      artifactEvents: artifacts?.count ?? 0,
    }
  })
}

/** What happened without a project belongs to it where the session has left an artifact there. */
async function countIn(
  { db, evidence }: ReplayNeeds,
  scope: EvidenceScope,
  keys: readonly string[],
) {
  const limit = keys.length
  const artifacts = await artifactEvidence.countEvents(db, scope, { keys, limit })
  const joined = artifacts.map(({ sessionKey }) => sessionKey)
  const others = keys.filter((key) => !joined.includes(key))
  const count = async (source: EvidenceSource, keys: readonly string[], orNone: boolean) =>
    keys.length === 0 ? [] : source.countEvents(db, { ...scope, orNone }, { keys, limit })
  const recalls = await Promise.all(
    evidence().map(async (source) => [
      ...(await count(source, joined, true)),
      ...(await count(source, others, false)),
    ]),
  )
  return [artifacts, ...recalls]
}

export interface Replay {
  readonly sessionKey: string
  readonly agentId: string
  readonly generatedAt: string
  readonly events: readonly BlackBoxEvent[]
  readonly frame: Frame
}

interface Frame {
  readonly at: string | null
  readonly activeRefCount: number
  readonly activeRefs: readonly EventRef[]
  readonly likelyInfluences: readonly Influence[]
  readonly warnings: readonly string[]
}

interface Influence {
  readonly eventId: string
  readonly at: string
  readonly reason: string
  readonly refs: readonly EventRef[]
}

/** All that is known of one session in the order of time; nothing, where nothing is. */
export async function replaySession(
  needs: ReplayNeeds,
  caller: Caller,
  { sessionKey, project }: { readonly sessionKey: string; readonly project?: string | undefined },
): Promise<Replay> {
  const scope = scopeOf(caller, project)
  const within = { ...scope, orNone: await isJoined(needs, scope, sessionKey), sessionKey }
  const found = await Promise.all(
    sourcesOf(needs).map((source) => source.listEvents(needs.db, within, most.events)),
  )
  const latest = found.flat().toSorted(byTime).slice(-most.events)
  const memories = await needs.memoriesOf(caller, listMemoryIds(latest))
  const events = latest.map((event) => ({
    ...event,
    refs: event.refs.map((ref) => describe(ref, memories)),
  }))
  return {
    ...{ sessionKey, agentId: scope.agentId, events },
    generatedAt: needs.host.now().toISOString(),
    frame: toFrame(events),
  }
}

function scopeOf({ agentId, ...caller }: Caller, project: string | undefined): EvidenceScope {
  if (project !== undefined) assertInProject(caller, project)
  return { agentId, project: project ?? caller.scope.project }
}

function sourcesOf({ evidence }: ReplayNeeds): readonly EvidenceSource[] {
  return [artifactEvidence, ...evidence()]
}

async function isJoined(
  { db }: ReplayNeeds,
  scope: EvidenceScope,
  sessionKey: string,
): Promise<boolean> {
  if (scope.project === undefined) return true
  const written = await artifactEvidence.countEvents(db, scope, { keys: [sessionKey], limit: 1 })
  return written.length > 0
}

function byTime(one: BlackBoxEvent, other: BlackBoxEvent): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1
  return one.id < other.id ? -1 : 1
}

function listMemoryIds(events: readonly BlackBoxEvent[]): string[] {
  const refs = events.flatMap(({ refs }) => refs).filter(({ kind }) => kind === 'memory')
  return [...new Set(refs.map(({ id }) => id))].slice(-most.memories)
}

function describe(ref: EventRef, memories: readonly LinkedMemory[]): EventRef {
  const memory = ref.kind === 'memory' && memories.find(({ id }) => id === ref.id)
  if (!memory) return ref
  const status = memory.deleted ? 'deleted' : memory.superseded ? 'superseded' : 'active'
  return { ...ref, label: memory.content.slice(0, longestLabel).toWellFormed(), status }
}

function toFrame(events: readonly BlackBoxEvent[]): Frame {
  const refs = events.toReversed().flatMap((event) => event.refs)
  const distinct = [...new Map(refs.map((ref) => [`${ref.kind} ${ref.id}`, ref])).values()]
  const influences = events.filter(({ kind }) => kind.includes('recall')).slice(-most.influences)
  const stale = distinct.filter(({ status }) => status === 'deleted' || status === 'superseded')
  return {
    at: events.at(-1)?.at ?? null,
    activeRefCount: distinct.length,
    activeRefs: distinct.slice(0, most.activeRefs),
    likelyInfluences: influences.toReversed().map(({ id, at, title, refs: all }) => ({
      ...{ eventId: id, at, reason: title, refs: all.slice(0, most.refsOfInfluence) },
    })),
    warnings: stale
      .slice(0, most.activeRefs)
      .map(({ kind, id, status }) => `The ${kind} ${id} is ${status}.`),
  }
}
