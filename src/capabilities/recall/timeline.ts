import type { SearchRequest, TemporalFact } from '../memory/index.ts'
import type { RecallNeeds } from './needs.ts'
import { type Candidate, type TimelineEntry, toTemporalRow } from './result.ts'
import type { TemporalIntent } from './temporal-intent.ts'

type TimelineNeeds = Pick<RecallNeeds, 'transcripts' | 'memory'>

/** Lists the agent's sessions that overlap a time range, with their summaries. */
async function listSessionFacts(
  { transcripts, memory }: TimelineNeeds,
  { start, end, facets }: TemporalIntent,
  { readScope, filters, asOf, limit }: SearchRequest,
): Promise<TimelineEntry[]> {
  const { agentId: _, sessionId: sessionKey, project: requestedProject, ...otherFilters } = filters
  const project = requestedProject ?? readScope.project ?? undefined
  const isOutsideProject = readScope.project !== null && project !== readScope.project
  // Sessions lack the fields of memory filters.
  const hasMemoryFilter = memory.search.hasFilter(otherFilters) || otherFilters.scope !== null
  if (!facets.includes('session') || isOutsideProject || hasMemoryFilter || asOf !== undefined)
    return []
  const filter = { agentId: readScope.agentId, sessionKey, project, during: { start, end } }
  return (await transcripts.listSummaries(filter, limit)).map((summary) => ({
    subjectType: 'session',
    subjectId: summary.id,
    facet: 'session',
    rank: 1,
    startAt: summary.earliestAt,
    endAt: summary.latestAt,
    memory: undefined,
    about: summary,
  }))
}

/** Reads all entries of a time range, best first. */
export async function readTimeline(
  needs: TimelineNeeds,
  { intent, explain }: { readonly intent: TemporalIntent; readonly explain: boolean },
  request: SearchRequest,
): Promise<Candidate[]> {
  const { search } = needs.memory
  const { readScope, filters, limit, asOf } = request
  // Other subjects lack the fields of memory filters and the project of a scope.
  const hasMemoryFilter = search.hasFilter(filters) || filters.scope !== null || asOf !== undefined
  const isMemoriesOnly = hasMemoryFilter || readScope.project !== null
  const [sessions, ...facts] = await Promise.all([
    listSessionFacts(needs, intent, request),
    search.listMemoryFacts(intent, request),
    isMemoriesOnly ? [] : search.listOtherFacts(intent, { agentId: readScope.agentId, limit }),
    intent.facets.includes('captured') ? search.listCaptured(intent, request) : [],
  ])
  const entries = [...sessions, ...facts.flat().map(toTimelineEntry)].toSorted(byRank)
  const firstByKey = new Map(entries.toReversed().map((entry) => [entryKey(entry), entry]))
  return entries
    .filter((entry) => firstByKey.get(entryKey(entry)) === entry)
    .map((entry) => ({ row: toTemporalRow(entry, explain), memory: entry.memory }))
}

function toTimelineEntry({ confidence, ...fact }: TemporalFact): TimelineEntry {
  return { ...fact, rank: Math.min(1, Math.max(0.1, confidence)) }
}

function byRank(a: TimelineEntry, b: TimelineEntry): number {
  if (a.rank !== b.rank) return b.rank - a.rank
  return b.startAt.localeCompare(a.startAt) || a.subjectType.localeCompare(b.subjectType)
}

function entryKey({ subjectType, subjectId, facet }: TimelineEntry): string {
  return `${subjectType} ${subjectId} ${facet}`
}
