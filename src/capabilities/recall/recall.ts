import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject, assertPermission } from '../../kernel/auth/permission.ts'
import type { PayloadOf } from '../../kernel/events/events.ts'
import { isSpaceless } from '../../search/index.ts'
import type { SearchRequest } from '../memory/index.ts'
import type { AccessCounter } from './access-counter.ts'
import { aggregateRecall } from './aggregate/aggregate.ts'
import { dropBeforeClause } from './answers/before-clause.ts'
import { toConfidenceLevel } from './answers/confidence.ts'
import { readTimeRange } from './answers/time-range.ts'
import { mergeExternal, searchCollections } from './collections.ts'
import type { RecallQuery } from './engine-search.ts'
import { recallAnswered, recallPerformed } from './events.ts'
import { addCards, toEntities } from './graph-context.ts'
import { hybridSearch } from './hybrid-search.ts'
import { dedupeForSession, maxCandidates, searchUntilFilled } from './ledger.ts'
import { rerank } from './model/rerank.ts'
import type { SummaryCards } from './model/summary-card.ts'
import type { RecallNeeds } from './needs.ts'
import type { Dedupe, RecallResult } from './replies.ts'
import { aggregateSource, type Candidate, toSources } from './result.ts'
import { type RecallRequest, sessionKeyOf, toFilters, wantsSave } from './schemas.ts'
import { createStopwatch, type Stopwatch } from './stopwatch.ts'
import { readTemporalIntent } from './temporal-intent.ts'
import { recallTime, type TemporalAnswer } from './temporal-recall.ts'
import { appendTranscriptHits } from './transcript-hits.ts'

/** Upper bound of `limit`. */
const maxResults = 50
/** Extra candidates that boosts may move into the results. */
const overfetch = 10
const sessionOverfetchFactor = 6

export type RecallVerbNeeds = RecallNeeds & {
  readonly counter: AccessCounter
  readonly summaryCards: SummaryCards
}

export async function recall(
  needs: RecallVerbNeeds,
  caller: Caller,
  input: RecallRequest,
): Promise<RecallResult> {
  // Rows that the session has seen are evidence too.
  const request = input.aggregate ? { ...input, includeRecalled: true } : input
  if (request.saveAggregate) assertMaySave(needs, caller, request)
  const started = needs.host.now()
  const stopwatch = createStopwatch(needs.host)
  const search = { request, started, stopwatch }
  const found = await rerank(needs, caller, await searchCandidates(needs, caller, search), search)
  const { described = [], method, temporal } = found
  const aggregated = request.aggregate
    ? await stopwatch.measure('aggregate', () =>
        aggregate(needs, caller, { request, found, started }),
      )
    : undefined
  const { candidates } = aggregated ?? found
  const { shown, dedupe } = await stopwatch.measure('dedupe', () =>
    selectResults(needs, caller, { request, candidates: addCards(found, { request, candidates }) }),
  )
  const cards = await needs.summaryCards.create(caller, { request, shown })
  const support = aggregated?.evidence ?? shown
  const totalMs = needs.host.now().getTime() - started.getTime()
  const type = temporal ? 'temporal' : method
  emitPerformed(needs, caller, { shown, support, type, latencyMs: totalMs })
  needs.events.emit(recallAnswered, {
    caller,
    request,
    sessionKey: sessionKeyOf(caller, request),
    method,
    shown,
    readPolicy: found.readPolicy,
    timings: { totalMs, stages: stopwatch.timings },
  })
  return {
    results: [...shown, ...cards].map(({ row }) => row),
    query: request.query,
    method,
    meta: {
      totalReturned: shown.length + cards.length,
      hasSupplementary: [...shown, ...cards].some(({ row }) => row.supplementary === true),
      noHits: shown.length === 0,
      confidence: readLevel(support),
      timings: { totalMs, stages: stopwatch.timings },
      ...(dedupe && { dedupe }),
      ...toOptionalMeta(request, found),
    },
    ...(described.length > 0 && { entities: toEntities(described) }),
    ...(request.expand && { sources: toSources(support) }),
    ...(aggregated && { aggregate: aggregated.aggregate }),
  }
}

function toOptionalMeta(
  { asOf }: RecallRequest,
  { explanation, temporal, degradation }: TemporalAnswer,
): Pick<RecallResult['meta'], 'asOf' | 'explain' | 'temporal' | 'partial' | 'degradation'> {
  return {
    ...(asOf !== undefined && { asOf }),
    ...(explanation && { explain: explanation }),
    ...(temporal && { temporal }),
    ...(degradation && { partial: true, degradation }),
  }
}

interface Search {
  readonly request: RecallRequest
  readonly started: Date
  readonly stopwatch: Stopwatch
}

/** Searches without side effects; the best candidate first. */
async function searchCandidates(
  needs: RecallNeeds,
  caller: Caller,
  { request, started, stopwatch }: Search,
): Promise<TemporalAnswer & { readonly readPolicy: SearchRequest['readScope']['policy'] }> {
  const intent = readTemporalIntent(request.query, request.time)
  const searchRequest = await toSearchRequest(needs, caller, request)
  const question = { ...toQuery(request, started), stopwatch }
  const answer = await searchUntilFilled<TemporalAnswer>(needs, caller, {
    request,
    limit: resultLimit(request),
    initialLimit: searchRequest.limit,
    search: (limit) =>
      intent
        ? recallTime(needs, { ...question, intent }, { ...searchRequest, limit })
        : hybridSearch(needs, question, { ...searchRequest, limit }),
  })
  const external = intent
    ? []
    : await stopwatch.measure('sources', () =>
        searchCollections(needs, {
          ...question,
          request,
          readScope: searchRequest.readScope,
          limit: searchRequest.limit,
        }),
      )
  const memories = dropUncertain(answer, request, needs.config().min_confidence)
  const hits = mergeExternal(memories, external, {
    limit: resultLimit(request),
    sources: request.sources,
  })
  const candidates = await appendTranscriptHits(needs, caller, {
    request,
    candidates: hits,
    during: answer.temporal,
  })
  return { ...answer, candidates, readPolicy: searchRequest.readScope.policy }
}

interface FirstSearch extends Omit<Search, 'stopwatch'> {
  readonly found: TemporalAnswer
}

/** Each search contributes as many rows as a plain answer has. */
function aggregate(needs: RecallNeeds, caller: Caller, { request, found, started }: FirstSearch) {
  const select = ({ candidates }: TemporalAnswer) => {
    const { minScore = 0 } = request
    return candidates.filter(({ row }) => row.score >= minScore).slice(0, resultLimit(request))
  }
  const { signal = new AbortController().signal } = request
  return aggregateRecall(needs, caller, {
    request,
    first: select(found),
    signal,
    search: async (query) => {
      const stopwatch = createStopwatch(needs.host)
      const further = { ...request, query, keywordQuery: undefined }
      return select(await searchCandidates(needs, caller, { request: further, started, stopwatch }))
    },
  })
}

/** The query, and the time that its phrases refer to. */
function toQuery(request: RecallRequest, started: Date): Omit<RecallQuery, 'stopwatch'> {
  const { query, keywordQuery, explain, preferredProject, timeZone } = request
  const { asOf: now = request.referenceTime ?? started.toISOString() } = request
  const range = readTimeRange(query, { now: new Date(now), timeZone })
  const searchText = dropBeforeClause(range?.rest || query)
  return { query, searchText, keywordQuery, explain, preferredProject, range, now }
}

async function toSearchRequest(
  { agents, db, config }: RecallNeeds,
  caller: Caller,
  request: RecallRequest,
): Promise<SearchRequest> {
  const filters = toFilters(caller, request)
  const baseLimit = Math.max(config().top_k, resultLimit(request) + overfetch)
  // Deduplication replaces seen rows by the next ones, so a session needs more candidates.
  const factor = sessionKeyOf(caller, request) ? sessionOverfetchFactor : 1
  const limit = Math.min(maxCandidates, factor * baseLimit)
  const readScope = await agents.readScopeOf(db, caller)
  const exceptSourceType = request.aggregate ? aggregateSource : undefined
  return { readScope, filters, limit, asOf: request.asOf, exceptSourceType }
}

/** A turn of a dialogue is understood with its neighbours, so its floor is lower. */
const turnFloorFactor = 0.25

/** Without a confident hit the answer is empty. A request may also drop each uncertain row. */
function dropUncertain(
  { candidates: hits, degradation, temporal }: TemporalAnswer,
  { minConfidence = 0, query, keywordQuery }: RecallRequest,
  floor: number,
): readonly Candidate[] {
  const isConfident = ({ row: { confidence = 1 }, isTurn }: Candidate) =>
    confidence >= (isTurn ? turnFloorFactor * floor : floor)
  // A time range or an expression selects by itself; without vectors, or in character pairs, little
  // evidence says little.
  const isSelected = temporal !== undefined || keywordQuery !== undefined
  const isDoubtful = degradation?.stages.includes('vectors') === true || isSpaceless(query)
  const hasFloor = !isSelected && !isDoubtful
  if (hasFloor && !hits.some(isConfident)) return []
  return hits.filter(({ row: { confidence = 1 } }) => confidence >= minConfidence)
}

/** Rows of a timeline have no confidence: they are what the query names. */
function readLevel([first]: readonly Candidate[]) {
  return first ? toConfidenceLevel(first.row.confidence ?? 1) : 'low'
}

function resultLimit({ limit }: RecallRequest): number {
  return Math.min(limit, maxResults)
}

interface Selection {
  readonly request: RecallRequest
  readonly candidates: readonly Candidate[]
}

async function selectResults(
  needs: RecallNeeds,
  caller: Caller,
  { request, candidates: all }: Selection,
): Promise<{ readonly shown: readonly Candidate[]; readonly dedupe?: Dedupe }> {
  const limit = resultLimit(request)
  const { minScore = 0, includeRecalled } = request
  const candidates = all.filter(({ row }) => row.score >= minScore)
  const sessionKey = sessionKeyOf(caller, request)
  if (!sessionKey) return { shown: candidates.slice(0, limit) }
  const context = { sessionKey, agentId: caller.agentId }
  const surface = { surface: request.surface ?? 'api.memory.recall', mode: 'explicit' } as const
  return dedupeForSession(needs, candidates, { context, limit, includeRecalled, surface })
}

interface RecallOutcome {
  readonly shown: readonly Candidate[]
  /** The shown rows, or the evidence of an aggregate. */
  readonly support: readonly Candidate[]
  readonly type: PayloadOf<typeof recallPerformed>['type']
  readonly latencyMs: number
}

function emitPerformed(
  { counter, events, host }: RecallVerbNeeds,
  { agentId }: Caller,
  { shown, support, type, latencyMs }: RecallOutcome,
): void {
  const ids = new Set(support.flatMap(({ memory }) => (memory ? [memory.id] : [])))
  counter.record({ ids: [...ids], at: host.now().toISOString() })
  events.emit(recallPerformed, {
    agentId,
    type,
    latencyMs,
    results: shown.length,
    truncated: shown.some(({ row }) => row.truncated),
  })
}

type SaveNeeds = Pick<RecallNeeds, 'memory'>

/** Saving an aggregate needs `remember`, a project within the scope, and a writable store. */
function assertMaySave(needs: SaveNeeds, caller: Caller, { project }: RecallRequest): void {
  assertMayRemember(needs, caller)
  assertInProject(caller, project ?? caller.scope.project)
}

/** The checks that are possible before the body is validated. */
export function precheckSave(
  needs: SaveNeeds,
  { caller, body }: { readonly caller: Caller; readonly body: unknown },
): void {
  if (wantsSave(body)) assertMayRemember(needs, caller)
}

function assertMayRemember({ memory }: SaveNeeds, caller: Caller): void {
  assertPermission('remember', caller)
  memory.assertWritable()
}
