import { mayRead, type ReadScope } from '../../../kernel/auth/read-scope.ts'
import type { Memory } from '../../memory/index.ts'
import type { HooksNeeds } from '../needs.ts'
import type { ScoredMemory } from './select-memories.ts'

/** Types that apply to a project at any age. */
const durableTypes = ['rule', 'constraint', 'decision', 'preference']
const maxDurable = 30
const maxGlobal = 10
const maxHits = 30
const maxQueries = 4
export const maxQueryLength = 400
/** Constant of reciprocal rank fusion. */
const rankOffset = 10

interface Prediction {
  readonly scope: ReadScope
  readonly project: string | null
  /** Texts of the latest work on the project, the most specific first. */
  readonly queries: readonly string[]
  /** Memories of the project, without a query. */
  readonly sample: readonly Memory[]
  /** How far a text is about recurring topics of the project, 0 to 1. */
  readonly rateTopic: (text: string) => number
}

/** Durable memories of the project come before others that match as well. */
const durableBonus = 0.08
/** The same for durable memories without a project. */
const globalBonus = 0.06
const topicWeight = 0.1

/** Memories that a session of the project may need, the best first. */
export async function predictMemories(
  needs: Pick<HooksNeeds, 'db' | 'memory' | 'recall' | 'host'>,
  { scope, project, queries, sample, rateTopic }: Prediction,
): Promise<readonly ScoredMemory[]> {
  const [hits, durable] = await Promise.all([
    searchAll(needs, { scope, project, queries }),
    listDurable(needs, { scope, project }),
  ])
  const sampled = sample.map((memory) => ({ memory, score: memory.importance, rank: 0 }))
  const byId = new Map([...sampled, ...durable, ...hits].map((each) => [each.memory.id, each]))
  const isOwn = ({ memory }: Ranked) => project !== null && memory.project === project
  const weigh = (each: Ranked) => {
    const { pinned, type, content } = each.memory
    const isDurable = pinned || durableTypes.includes(type)
    const bonus = isOwn(each) ? durableBonus : globalBonus
    return each.rank + topicWeight * rateTopic(content) + (isDurable ? bonus : 0)
  }
  return [...byId.values()]
    .filter((each) => isOwn(each) || each.memory.project === null)
    .map((each) => ({ ...each, weight: weigh(each) }))
    .toSorted((a, b) => b.weight - a.weight || b.memory.createdAt.localeCompare(a.memory.createdAt))
    .map(({ memory, score }) => ({ memory, score, source: 'predicted' }))
}

interface Ranked {
  readonly memory: Memory
  readonly score: number
  /** Fused over the queries; 0 for a memory that no query finds. */
  readonly rank: number
}

/** The readable hits of all queries, within the project and in all memories. */
async function searchAll(
  { db, memory, recall }: Pick<HooksNeeds, 'db' | 'memory' | 'recall'>,
  { scope, project, queries }: Pick<Prediction, 'scope' | 'project' | 'queries'>,
): Promise<readonly Ranked[]> {
  const texts = queries.map((text) => text.slice(0, maxQueryLength).trim()).filter(Boolean)
  const searches = [...new Set(texts)].slice(0, maxQueries)
  const lists = await Promise.all(
    searches.map((text) =>
      recall.searchLexical(scope, { text, limit: maxHits, project: project ?? undefined }),
    ),
  )
  const ranks = new Map<string, { readonly rank: number; readonly score: number }>()
  for (const [place, { id, score }] of lists.flatMap((hits) => [...hits.entries()])) {
    const { rank = 0, score: best = 0 } = ranks.get(id) ?? {}
    ranks.set(id, { rank: rank + 1 / (rankOffset + place), score: Math.max(best, score) })
  }
  const rows = await memory.selection.listByIds(db, [...ranks.keys()])
  return rows
    .filter((row) => mayRead(scope, row))
    .map((row) => ({ memory: row, score: 0, rank: 0, ...ranks.get(row.id) }))
}

/** Rules, decisions and preferences of the project, and those of no project. */
async function listDurable(
  { db, host, memory: { selection } }: Pick<HooksNeeds, 'db' | 'memory' | 'host'>,
  { scope, project }: Pick<Prediction, 'scope' | 'project'>,
): Promise<readonly Ranked[]> {
  const request = { scope, now: host.now(), limit: maxDurable, minImportance: 0 }
  const [own, global] = await Promise.all([
    project === null
      ? []
      : selection.listByDecayedImportance(db, { ...request, project, types: durableTypes }),
    selection.listGlobal(db, scope, { types: durableTypes, limit: maxGlobal }),
  ])
  return [...own, ...global].map((row) => ({ memory: row, score: row.importance, rank: 0 }))
}

const maxSample = 100

/** Memories of the project, from which its topics are read. */
export async function listSample(
  { db, host, memory: { selection } }: Pick<HooksNeeds, 'db' | 'memory' | 'host'>,
  { scope, project }: Pick<Prediction, 'scope' | 'project'>,
): Promise<readonly Memory[]> {
  if (project === null) return []
  const request = { scope, project, now: host.now(), limit: maxSample, minImportance: 0 }
  return selection.listByDecayedImportance(db, request)
}

/** Folders that hold projects. Their names describe none. */
const commonFolders = new Set(
  `home users user root work src code dev projects project repos repo git github workspace workspaces
  documents desktop tmp var opt srv mnt private`.split(/\s+/),
)
const maxParts = 3

/** The words of the last parts of a project path. */
export function toProjectQuery(project: string | null): string {
  const parts = (project ?? '').split(/[\\/]+/).filter((part) => part !== '')
  // The folder after `home` has the name of a person.
  const named = parts.filter(
    (part, index) =>
      /[\p{L}\p{N}]{2}/u.test(part) &&
      !commonFolders.has(part.toLowerCase()) &&
      !/^(?:home|users)$/i.test(parts[index - 1] ?? ''),
  )
  return named
    .slice(-maxParts)
    .join(' ')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
