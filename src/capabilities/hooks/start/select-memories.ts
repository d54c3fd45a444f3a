import type { Caller } from '../../../kernel/auth/caller.ts'
import type { ReadScope } from '../../../kernel/db/read-scope.ts'
import type { Memory } from '../../memory/index.ts'
import type { HooksNeeds } from '../needs.ts'

/** What is worth less is not told, unless it is pinned. */
const least = 0.2
const fadingPerDay = 0.95
const dayMs = 86_400_000

export interface Weighed {
  readonly memory: Memory
  /** 1 when pinned, else importance × 0.95^(age in days). */
  readonly score: number
}

/** What a session could be told, those of its project first, then by worth. */
export async function weighMemories(
  { db, host, memory, settings }: HooksNeeds,
  { scope, project }: { readonly scope: ReadScope; readonly project: string | null },
): Promise<readonly Weighed[]> {
  const now = host.now()
  const { candidatePoolLimit: limit } = settings().hooks.sessionStart
  const request = { scope, now, limit, least }
  const [all, own] = await Promise.all([
    memory.selection.listStanding(db, request),
    project === null ? [] : memory.selection.listStanding(db, { ...request, project }),
  ])
  const once = new Map([...all, ...own].map((memory) => [memory.id, memory]))
  const isOwn = ({ memory }: Weighed) => Number(project !== null && memory.project === project)
  return [...once.values()]
    .map((memory) => ({ memory, score: weigh(memory, now) }))
    .filter(({ memory, score }) => memory.pinned || score >= least)
    .toSorted((a, b) => isOwn(b) - isOwn(a) || byWorth(a, b))
    .slice(0, limit)
}

function weigh({ pinned, importance, createdAt }: Memory, now: Date): number {
  if (pinned) return 1
  const ageMs = Math.max(0, now.getTime() - new Date(createdAt).getTime())
  return importance * fadingPerDay ** (ageMs / dayMs)
}

function byWorth(a: Weighed, b: Weighed): number {
  if (a.score !== b.score) return b.score - a.score
  const [one, other] = [a.memory, b.memory]
  return other.createdAt.localeCompare(one.createdAt) || one.id.localeCompare(other.id)
}

export interface Offering {
  readonly caller: Caller
  readonly sessionKey: string
  readonly harness: string
  readonly project: string | null
  readonly candidates: readonly Weighed[]
  /** How many of the first were told. */
  readonly told: number
}

/** Keeps what was weighed and what was told, in one transaction. */
export async function recordOffer(
  { host, sessions, recall }: HooksNeeds,
  db: HooksNeeds['db'],
  { caller: { agentId }, sessionKey, harness, project, candidates, told }: Offering,
): Promise<void> {
  const createdAt = host.now().toISOString()
  const offered = candidates.map(({ memory, score }, index) => ({
    ...{ agentId, sessionKey, memoryId: memory.id, rank: index + 1, source: 'standing', score },
    ...{ wasInjected: index < told, createdAt },
  }))
  await sessions.noteOffered(db, offered)
  await recall.noteShown(db, {
    // A beginning is no answer: what was told in it may still be recalled.
    context: { agentId, sessionKey: [harness, project ?? '', sessionKey].join(':') },
    ...{ surface: 'api.hooks.session-start', mode: 'automatic' },
    items: offered.slice(0, told).map(({ memoryId: itemId, score, source }) => ({
      ...{ itemKind: 'memory', itemId, score, source },
    })),
  })
}
