import type { Caller } from '../../kernel/auth/caller.ts'
import type { Replied } from '../../kernel/http/replies.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { kindOf } from './kinds.ts'

const maxAgents = 200
const maxActors = 500
const maxConnectors = 500
const maxNameLength = 128
const other = 'other'

interface Tally {
  count: number
  errors: number
  totalLatencyMs: number
}

interface ActorTally {
  readonly agentId: string
  readonly name: string
  requests: number
  remembers: number
  recalls: number
  mutations: number
}

interface ConnectorTally {
  readonly agentId: string
  syncs: number
  errors: number
  documentsProcessed: number
}

export interface Synced {
  readonly id: string
  readonly agentId: string
  readonly failed: boolean
  readonly documents: number
}

export type Usage = ReturnType<typeof createUsage>

/** Counts replies and syncs by agent since the start. */
export function createUsage() {
  const agents = new Map<string, Map<string, Tally>>()
  const actors = new Map<string, ActorTally>()
  const connectors = new Map<string, ConnectorTally>()
  return {
    countReply: (replied: Replied): void => {
      const { route, status, ms, caller } = replied
      const endpoints = findOrAdd(agents, caller?.agentId ?? '', maxAgents, () => new Map())
      const key = route ? `${route.method} ${route.path}` : 'unmatched'
      const tally = endpoints.get(key) ?? { count: 0, errors: 0, totalLatencyMs: 0 }
      endpoints.set(key, tally)
      tally.count += 1
      if (status >= 400) tally.errors += 1
      // The duration of a subscription is that of the client.
      if (!route?.isSubscription) tally.totalLatencyMs += ms
      if (caller) countActor(actors, caller, replied)
    },
    countSync: ({ id, agentId, failed, documents }: Synced): void => {
      const tally = findOrAdd(connectors, id, maxConnectors, (key) => ({
        agentId: key === other ? other : agentId,
        syncs: 0,
        errors: 0,
        documentsProcessed: 0,
      }))
      tally.syncs += 1
      if (failed) tally.errors += 1
      tally.documentsProcessed += documents
    },
    /** What a caller with this scope may see. */
    read: ({ agent, project }: Caller['scope']) => {
      const isVisible = (agentId: string) =>
        project === undefined && (agent === undefined || agent === agentId)
      const visible = [...agents].flatMap(([id, tallies]) => (isVisible(id) ? [tallies] : []))
      return {
        endpoints: Object.fromEntries(mergeEndpoints(visible)),
        actors: mergeActors([...actors.values()].filter(({ agentId }) => isVisible(agentId))),
        connectors: Object.fromEntries(
          [...connectors]
            .filter(([, { agentId }]) => isVisible(agentId))
            .map(([id, { agentId: _, ...tally }]) => [id, tally]),
        ),
      }
    },
  }
}

const counterOf = { remember: 'remembers', recall: 'recalls', mutate: 'mutations' } as const

function countActor(
  actors: Map<string, ActorTally>,
  caller: Caller,
  { route, status, isInvoked }: Replied,
): void {
  const tally = findOrAdd(actors, `${caller.agentId}\n${caller.name}`, maxActors, (key) => ({
    agentId: key === other ? other : caller.agentId,
    name: key === other ? other : toCleanText(caller.name).slice(0, maxNameLength),
    requests: 0,
    remembers: 0,
    recalls: 0,
    mutations: 0,
  }))
  if (!isInvoked) tally.requests += 1
  const kind = kindOf(route)
  if (kind && status < 400) tally[counterOf[kind]] += 1
}

/** The value of a key; beyond the bound that of `other`. */
function findOrAdd<Value>(
  map: Map<string, Value>,
  path: string,
  max: number,
  create: (key: string) => Value,
): Value {
  const key = map.has(path) || map.size < max ? path : other
  const value = map.get(key) ?? create(key)
  map.set(key, value)
  return value
}

function mergeEndpoints(
  agents: readonly ReadonlyMap<string, Tally>[],
): ReadonlyMap<string, Readonly<Tally>> {
  const merged = new Map<string, Tally>()
  for (const [key, { count, errors, totalLatencyMs }] of agents.flatMap((map) => [...map])) {
    const tally = merged.get(key) ?? { count: 0, errors: 0, totalLatencyMs: 0 }
    merged.set(key, tally)
    tally.count += count
    tally.errors += errors
    tally.totalLatencyMs += totalLatencyMs
  }
  return merged
}

/** One author may act for several agents. */
function mergeActors(tallies: readonly ActorTally[]) {
  const merged = [...Map.groupBy(tallies, ({ name }) => name)].map(([name, of]) => {
    const sum = (field: 'requests' | 'remembers' | 'recalls' | 'mutations') =>
      of.reduce((total, tally) => total + tally[field], 0)
    const [requests, remembers] = [sum('requests'), sum('remembers')]
    return [name, { requests, remembers, recalls: sum('recalls'), mutations: sum('mutations') }]
  })
  return Object.fromEntries(merged) as Record<string, Omit<ActorTally, 'agentId' | 'name'>>
}
