import { mayRead, type ReadScope } from '../../../kernel/auth/read-scope.ts'
import type { Memory } from '../../memory/index.ts'
import type { HooksNeeds } from '../needs.ts'
import type { ScoredMemory } from './select-memories.ts'

/** Types that hold for a project, whatever their age. */
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
}

/** Memories that a session of the project may need, the best first: durable ones, then by recall. */
export async function predictMemories(
  needs: Pick<HooksNeeds, 'db' | 'memory' | 'recall' | 'host'>,
  { scope, project, queries }: Prediction,
): Promise<readonly ScoredMemory[]> {
  const [hits, durable] = await Promise.all([
    searchAll(needs, { scope, project, queries }),
    listDurable(needs, { scope, project }),
  ])
  const byId = new Map([...hits, ...durable].map((each) => [each.memory.id, each]))
  for (const hit of hits) byId.set(hit.memory.id, hit)
  const isDurable = ({ memory }: Ranked) => memory.pinned || durableTypes.includes(memory.type)
  const isOwn = ({ memory }: Ranked) => project !== null && memory.project === project
  return [...byId.values()]
    .filter((each) => isOwn(each) || each.memory.project === null)
    .toSorted(
      (a, b) =>
        Number(isOwn(b) && isDurable(b)) - Number(isOwn(a) && isDurable(a)) ||
        b.rank - a.rank ||
        b.memory.importance - a.memory.importance ||
        b.memory.createdAt.localeCompare(a.memory.createdAt),
    )
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
  { scope, project, queries }: Prediction,
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
  { scope, project }: Omit<Prediction, 'queries'>,
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
