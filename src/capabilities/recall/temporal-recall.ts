import type { SearchRequest, TemporalFact } from '../memory/index.ts'
import type { RecallQuery } from './engine-search.ts'
import { type HybridSearchNeeds, hybridSearch, type RankedAnswer } from './hybrid-search.ts'
import type { RecallNeeds } from './needs.ts'
import { type Candidate, type TimelineEntry, toTemporalRow } from './result.ts'
import { listDays, type TemporalIntent } from './temporal-intent.ts'
import { createMentionMatcher, parseQueryWords, removeDays } from './words.ts'

type TemporalNeeds = HybridSearchNeeds & Pick<RecallNeeds, 'transcripts'>

export interface TemporalAnswer extends RankedAnswer {
  /** The time range that the results belong to, if any. */
  readonly temporal?: TemporalIntent
}

/**
 * Searches the time range by the words of the query. Without hits, a day in the query is searched
 * like any other words, because a text may mention a future day.
 */
export async function recallTime(
  needs: TemporalNeeds,
  question: RecallQuery & { readonly intent: TemporalIntent },
  request: SearchRequest,
): Promise<TemporalAnswer> {
  const { intent: temporal } = question
  const inRange = await recallRange(needs, question, request)
  if (inRange.candidates.length > 0 || temporal.source === 'request')
    return { ...inRange, temporal }
  const mentioning = await searchMentions(needs, question, request)
  return mentioning.candidates.length > 0 ? mentioning : { ...mentioning, temporal }
}

/** Hits that match only the digits of a date are dropped. */
async function searchMentions(
  needs: HybridSearchNeeds,
  question: RecallQuery & { readonly intent: TemporalIntent },
  request: SearchRequest,
): Promise<RankedAnswer> {
  const { contentQuery, originalQuery } = question.intent
  const answer = await hybridSearch(needs, question, request)
  const mentions = createMentionMatcher(contentQuery, listDays(originalQuery))
  const hintedIds = answer.candidates.some(({ row }) => row.source === 'hint')
    ? await listHintedIds(needs, removeDays(contentQuery), request)
    : new Set()
  return filterRelevant(answer, (candidate) => {
    const { memory } = candidate
    const isMention = memory !== undefined && (mentions(memory.content) || hintedIds.has(memory.id))
    return isMention || matchesKeywordQuery(question, candidate)
  })
}

function filterRelevant(
  answer: RankedAnswer,
  isRelevant: (candidate: Candidate) => boolean,
): RankedAnswer {
  const candidates = answer.candidates.filter(isRelevant)
  const isHybrid = candidates.some(({ row }) => row.source === 'hybrid' || row.source === 'vector')
  return { ...answer, candidates, method: isHybrid ? 'hybrid' : 'keyword' }
}

/** A keyword query names its words explicitly, so its matches are relevant. */
function matchesKeywordQuery({ keywordQuery }: RecallQuery, { row }: Candidate): boolean {
  return keywordQuery !== undefined && (row.source === 'keyword' || row.source === 'hybrid')
}

async function listHintedIds(
  { memory: { search } }: HybridSearchNeeds,
  words: string,
  request: SearchRequest,
): Promise<ReadonlySet<string>> {
  const hits = await search.searchHintWords(parseQueryWords(words).tokens, request)
  return new Set(hits.map(({ memory }) => memory.id))
}

async function recallRange(
  needs: TemporalNeeds,
  { intent, ...question }: RecallQuery & { readonly intent: TemporalIntent },
  request: SearchRequest,
): Promise<RankedAnswer> {
  const words = parseQueryWords(intent.contentQuery)
  const hasWords = words.tokens.length + words.pairs.length > 0
  const timeline = async () => {
    const candidates = await question.stopwatch.measure('timeline', () =>
      readTimeline(needs, { intent, explain: question.explain }, request),
    )
    const mayHaveMore = candidates.length >= request.limit
    return { candidates, mayHaveMore, method: 'keyword' as const, degradation: undefined }
  }
  if (intent.mode === 'timeline' || !hasWords) return timeline()

  const filters = { ...request.filters, during: intent }
  const query = intent.contentQuery
  const mentions = createMentionMatcher(query)
  // A speaker named in the query matches as well.
  const isMention = ({ row, memory }: Candidate) =>
    mentions(memory?.content ?? row.content) || mentions(row.who)
  const answer = await hybridSearch(
    needs,
    { ...question, query, searchText: query },
    { ...request, filters },
  )
  const relevant = filterRelevant(answer, (candidate) => {
    const isDirectMatch =
      candidate.row.source === 'hint' || matchesKeywordQuery(question, candidate)
    return isDirectMatch || isMention(candidate)
  })
  return relevant.candidates.length > 0 ? relevant : filterRelevant(await timeline(), isMention)
}

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
async function readTimeline(
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
