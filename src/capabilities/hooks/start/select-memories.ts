import { mayRead, type ReadScope } from '../../../kernel/auth/read-scope.ts'
import type { Memory } from '../../memory/index.ts'
import type { HooksNeeds } from '../needs.ts'

/** What is worth less is not told, unless it is pinned. */
const least = 0.2
const fadingPerDay = 0.95
/** The bias with which that is so. */
const usualBias = 0.7
const dayMs = 86_400_000

export interface Weighed {
  readonly memory: Memory
  /** 1 when pinned, else importance × 0.95^(age in days), or as much as the bias for what is new makes of it. */
  readonly score: number
  /** Why it is told. */
  readonly source: 'standing' | 'graph' | 'predicted'
}

interface Weighing {
  readonly scope: ReadScope
  readonly project: string | null
  /** Of what the project's entities lead to. */
  readonly focalIds: readonly string[]
}

/** What a session could be told, those of its project first, then by worth. */
export async function weighMemories(
  needs: HooksNeeds,
  weighing: Weighing,
): Promise<readonly Weighed[]> {
  const { scope, project, focalIds } = weighing
  const now = needs.host.now()
  const { candidatePoolLimit: limit, recencyBias } = needs.settings().hooks.sessionStart
  const fading = fadingPerDay ** (recencyBias / usualBias)
  const [standing, linked] = await Promise.all([
    listStanding(needs, { ...weighing, now, limit, least: fading > fadingPerDay ? 0 : least }),
    needs.memory.selection.listByIds(needs.db, focalIds.slice(0, limit)),
  ])
  const focal = linked.filter((memory) => mayRead(scope, memory))
  const isLinked = new Set(focal.map(({ id }) => id))
  const once = new Map([...standing, ...focal].map((memory) => [memory.id, memory]))
  const isOwn = ({ memory }: Weighed) => Number(project !== null && memory.project === project)
  return [...once.values()]
    .map(
      (memory): Weighed => ({
        ...{ memory, score: weigh(memory, now, fading) },
        source: isLinked.has(memory.id) ? 'graph' : 'standing',
      }),
    )
    .filter(({ memory, score }) => memory.pinned || score >= least)
    .toSorted((a, b) => isOwn(b) - isOwn(a) || byWorth(a, b))
    .slice(0, limit)
}

/** Those of the project come first: where they are enough nothing else is looked for. */
async function listStanding(
  { db, memory }: HooksNeeds,
  {
    scope,
    project,
    ...pool
  }: Omit<Weighing, 'focalIds'> & {
    readonly now: Date
    readonly limit: number
    readonly least: number
  },
): Promise<readonly Memory[]> {
  const { now, limit, least } = pool
  const request = { scope, now, limit, minImportance: least }
  const own =
    project === null
      ? []
      : await memory.selection.listByDecayedImportance(db, { ...request, project })
  if (own.length >= limit) return own
  return [...(await memory.selection.listByDecayedImportance(db, request)), ...own]
}

function weigh({ pinned, importance, createdAt }: Memory, now: Date, fading: number): number {
  if (pinned) return 1
  const ageMs = Math.max(0, now.getTime() - new Date(createdAt).getTime())
  return importance * fading ** (ageMs / dayMs)
}

function byWorth(a: Weighed, b: Weighed): number {
  if (a.score !== b.score) return b.score - a.score
  const [one, other] = [a.memory, b.memory]
  return other.createdAt.localeCompare(one.createdAt) || one.id.localeCompare(other.id)
}

export interface Offering {
  readonly start: {
    readonly agentId: string
    readonly sessionKey: string
    readonly harness: string
    readonly project: string | null
  }
  readonly told: readonly Weighed[]
  readonly rest: readonly Weighed[]
}

/** Keeps that a session was told its beginning and what was weighed for it; false where it was told meanwhile. */
export async function recordStart(
  { host, sessions, recall }: HooksNeeds,
  db: HooksNeeds['db'],
  { start, told, rest }: Offering,
): Promise<boolean> {
  const { agentId, sessionKey, harness, project } = start
  const createdAt = host.now().toISOString()
  const offered = [...told, ...rest].map(({ memory, score, source }, index) => ({
    ...{ agentId, sessionKey, memoryId: memory.id, rank: index + 1, source, score },
    ...{ wasInjected: index < told.length, createdAt },
  }))
  if (!(await sessions.noteStart(db, { start, offered }))) return false
  await recall.recordShown(db, {
    // A beginning is no answer: what was told in it may still be recalled.
    context: { agentId, sessionKey: [harness, project ?? '', sessionKey].join(':') },
    ownerSessionKey: sessionKey,
    ...{ surface: 'api.hooks.session-start', mode: 'automatic' },
    items: offered.slice(0, told.length).map(({ memoryId: itemId, score, source }) => ({
      ...{ itemKind: 'memory', itemId, score, source },
    })),
  })
  return true
}
