import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject, assertPermission } from '../../kernel/auth/permission.ts'
import type { PayloadOf } from '../../kernel/events/events.ts'
import type { SearchRequest } from '../memory/index.ts'
import type { AccessCounter } from './access-counter.ts'
import { recallAnswered, recallPerformed } from './events.ts'
import { hybridSearch } from './hybrid-search.ts'
import { dedupeForSession, maxCandidates, searchUntilFilled } from './ledger.ts'
import type { RecallNeeds } from './needs.ts'
import type { Dedupe, RecallResult } from './replies.ts'
import { aggregateSource, type Candidate, toSources, toUnsynthesizedAggregate } from './result.ts'
import { type RecallRequest, sessionKeyOf, toFilters, wantsSave } from './schemas.ts'
import { createStopwatch } from './stopwatch.ts'
import { readTemporalIntent } from './temporal-intent.ts'
import { recallTime, type TemporalAnswer } from './temporal-recall.ts'
import { appendTranscriptHits } from './transcript-hits.ts'

/** Upper bound of `limit`. */
const maxResults = 50
/** Extra candidates that boosts may move into the results. */
const overfetch = 10
const sessionOverfetchFactor = 6

export type RecallVerbNeeds = RecallNeeds & { readonly counter: AccessCounter }

export async function recall(
  needs: RecallVerbNeeds,
  caller: Caller,
  request: RecallRequest,
): Promise<RecallResult> {
  if (request.saveAggregate) assertMaySave(needs, caller, request)
  const started = needs.host.now()
  const stopwatch = createStopwatch(needs.host)
  const intent = readTemporalIntent(request.query, request.time)
  const searchRequest = await toSearchRequest(needs, caller, request)
  const { query, keywordQuery, explain, preferredProject, asOf = started.toISOString() } = request
  const question = { query, keywordQuery, explain, preferredProject, now: asOf, stopwatch }
  const answer = await searchUntilFilled<TemporalAnswer>(needs, caller, {
    request,
    limit: resultLimit(request),
    initialLimit: searchRequest.limit,
    search: (limit) =>
      intent
        ? recallTime(needs, { ...question, intent }, { ...searchRequest, limit })
        : hybridSearch(needs, question, { ...searchRequest, limit }),
  })
  const { candidates: hits, method, degradation, temporal } = answer
  const candidates = await appendTranscriptHits(needs, caller, {
    request,
    candidates: hits,
    during: temporal,
  })
  const { shown, dedupe } = await stopwatch.measure('dedupe', () =>
    selectResults(needs, caller, { request, candidates }),
  )
  const totalMs = needs.host.now().getTime() - started.getTime()
  emitPerformed(needs, caller, { shown, type: temporal ? 'temporal' : method, latencyMs: totalMs })
  needs.events.emit(recallAnswered, {
    caller,
    request,
    sessionKey: sessionKeyOf(caller, request),
    method,
    shown,
    readPolicy: searchRequest.readScope.policy,
    timings: { totalMs, stages: stopwatch.timings },
  })
  return {
    results: shown.map(({ row }) => row),
    query,
    method,
    meta: {
      totalReturned: shown.length,
      hasSupplementary: shown.some(({ row }) => row.supplementary === true),
      noHits: shown.length === 0,
      timings: { totalMs, stages: stopwatch.timings },
      ...(request.asOf !== undefined && { asOf: request.asOf }),
      ...(dedupe && { dedupe }),
      ...(temporal && { temporal }),
      ...(degradation && { partial: true, degradation }),
    },
    ...(request.expand && { sources: toSources(shown) }),
    ...(request.aggregate && { aggregate: toUnsynthesizedAggregate(request, shown) }),
  }
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
  readonly type: PayloadOf<typeof recallPerformed>['type']
  readonly latencyMs: number
}

function emitPerformed(
  { counter, events, host }: RecallVerbNeeds,
  { agentId }: Caller,
  { shown, type, latencyMs }: RecallOutcome,
): void {
  const ids = new Set(shown.flatMap(({ memory }) => (memory ? [memory.id] : [])))
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
