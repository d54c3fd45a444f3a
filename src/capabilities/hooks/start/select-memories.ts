import { mayRead, type ReadScope } from '../../../kernel/auth/read-scope.ts'
import type { Memory } from '../../memory/index.ts'
import type { HooksNeeds } from '../needs.ts'

/** Memories with a lower score are omitted, unless pinned. */
const minScore = 0.2
const decayPerDay = 0.95
/** The `recencyBias` at which a memory decays by `decayPerDay`. */
const defaultRecencyBias = 0.7
const dayMs = 86_400_000

export interface ScoredMemory {
  readonly memory: Memory
  /** 1 if pinned, else importance × decay^(age in days). */
  readonly score: number
  /** Why the memory is a candidate. */
  readonly source: 'standing' | 'graph' | 'predicted'
}

interface ScoreRequest {
  readonly scope: ReadScope
  readonly project: string | null
  /** Memories linked to the entities of the project. */
  readonly focalIds: readonly string[]
}

/** Candidates of a session: those of its project first, then by score. */
export async function scoreMemories(
  needs: HooksNeeds,
  { scope, project, focalIds }: ScoreRequest,
): Promise<readonly ScoredMemory[]> {
  const now = needs.host.now()
  const { candidatePoolLimit: limit, recencyBias } = needs.settings().hooks.sessionStart
  const decay = decayPerDay ** (recencyBias / defaultRecencyBias)
  const minImportance = decay > decayPerDay ? 0 : minScore
  const [standing, linked] = await Promise.all([
    listPool(needs, { scope, now, limit, minImportance }, project),
    needs.memory.selection.listByIds(needs.db, focalIds.slice(0, limit)),
  ])
  const focal = linked.filter((memory) => mayRead(scope, memory))
  const isLinked = new Set(focal.map(({ id }) => id))
  const once = new Map([...standing, ...focal].map((memory) => [memory.id, memory]))
  const isOwn = ({ memory }: ScoredMemory) => Number(project !== null && memory.project === project)
  return [...once.values()]
    .map(
      (memory): ScoredMemory => ({
        memory,
        score: scoreMemory(memory, now, decay),
        source: isLinked.has(memory.id) ? 'graph' : 'standing',
      }),
    )
    .filter(({ memory, score }) => memory.pinned || score >= minScore)
    .toSorted(
      (a, b) =>
        Number(b.memory.pinned) - Number(a.memory.pinned) || isOwn(b) - isOwn(a) || byScore(a, b),
    )
    .slice(0, limit)
    .toSorted((a, b) => isOwn(b) - isOwn(a) || byScore(a, b))
}

/** Reads other projects only if the project has too few memories. */
async function listPool(
  { db, memory }: HooksNeeds,
  request: Parameters<HooksNeeds['memory']['selection']['listByDecayedImportance']>[1],
  project: string | null,
): Promise<readonly Memory[]> {
  const list = memory.selection.listByDecayedImportance
  const own = project === null ? [] : await list(db, { ...request, project })
  return own.length >= request.limit ? own : [...(await list(db, request)), ...own]
}

function scoreMemory({ pinned, importance, createdAt }: Memory, now: Date, decay: number): number {
  if (pinned) return 1
  const ageMs = Math.max(0, now.getTime() - new Date(createdAt).getTime())
  return importance * decay ** (ageMs / dayMs)
}

function byScore(a: ScoredMemory, b: ScoredMemory): number {
  if (a.score !== b.score) return b.score - a.score
  const byAge = b.memory.createdAt.localeCompare(a.memory.createdAt)
  return byAge || a.memory.id.localeCompare(b.memory.id)
}

interface StartRecord {
  readonly start: Parameters<HooksNeeds['sessions']['recordStart']>[1]['start']
  readonly injected: readonly ScoredMemory[]
  readonly rest: readonly ScoredMemory[]
}

/** Records a start with its candidates. False if a concurrent call recorded it. */
export async function saveStart(
  { host, sessions, recall }: HooksNeeds,
  db: HooksNeeds['db'],
  { start, injected, rest }: StartRecord,
): Promise<boolean> {
  const { agentId, sessionKey, harness, project } = start
  const createdAt = host.now().toISOString()
  const offered = [...injected, ...rest].map(({ memory, score, source }, index) => ({
    agentId,
    sessionKey,
    memoryId: memory.id,
    rank: index + 1,
    source,
    score,
    wasInjected: index < injected.length,
    createdAt,
  }))
  if (!(await sessions.recordStart(db, { start, offeredMemories: offered }))) return false
  await recall.recordShown(db, {
    // A separate key: memories in a start context may still be recalled.
    context: { agentId, sessionKey: [harness, project ?? '', sessionKey].join(':') },
    ownerSessionKey: sessionKey,
    surface: 'api.hooks.session-start',
    mode: 'automatic',
    items: injected.map(({ memory: { id: itemId }, score, source }) => ({
      itemKind: 'memory',
      itemId,
      score,
      source,
    })),
  })
  return true
}
