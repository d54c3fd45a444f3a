import type { Caller } from '../../kernel/auth/caller.ts'
import type { PayloadOf } from '../../kernel/events/events.ts'
import type { SearchRequest } from '../memory/index.ts'
import type { AccessCounter } from './access-counter.ts'
import { type Aggregate, aggregateSource, withoutSynthesis } from './aggregate.ts'
import { askDeepEnough, mostCandidates } from './deepen.ts'
import { recallAnswered, recallPerformed } from './events.ts'
import { sessionKeyOf, toFilters } from './filters.ts'
import { type FoundAnswer, find } from './find.ts'
import { claim, type Dedupe } from './ledger.ts'
import type { RecallNeeds } from './needs.ts'
import type { Candidate, ResultRow } from './result.ts'
import { refuseSaving } from './saving.ts'
import type { RecallRequest } from './schemas.ts'
import type { Degradation } from './scored.ts'
import { type Source, toSources } from './sources.ts'
import { withSpoken } from './spoken.ts'
import { createStopwatch, type Timing } from './stopwatch.ts'
import { readTemporalIntent, type TemporalIntent } from './temporal-intent.ts'
import { recallTime, type TimedAnswer } from './temporal-recall.ts'

/** However many are asked for. */
const mostReturned = 50
/** What is boosted may pass those before it. */
const fewSpare = 10
const timesForSession = 6

export interface Recalled {
  readonly results: readonly ResultRow[]
  readonly query: string
  readonly method: FoundAnswer['method']
  readonly meta: RecallMeta
  readonly sources?: Readonly<Record<string, Source>>
  readonly aggregate?: Aggregate
}

interface RecallMeta {
  readonly totalReturned: number
  readonly hasSupplementary: boolean
  readonly noHits: boolean
  readonly timings: { readonly totalMs: number; readonly stages: readonly Timing[] }
  readonly asOf?: string
  readonly dedupe?: Dedupe
  readonly temporal?: TemporalIntent
  /** Answered without the stages named in `degradation`. */
  readonly partial?: true
  readonly degradation?: Degradation
}

export type RecallVerbNeeds = RecallNeeds & { readonly counter: AccessCounter }

export async function recall(
  needs: RecallVerbNeeds,
  caller: Caller,
  request: RecallRequest,
): Promise<Recalled> {
  if (request.saveAggregate) refuseSaving(needs, caller, request)
  const started = needs.host.now()
  const stopwatch = createStopwatch(needs.host)
  const intent = readTemporalIntent(request.query, request.time)
  const search = await toSearch(needs, caller, request)
  const { query, keywordQuery, explain, preferredProject, asOf = started.toISOString() } = request
  const question = { query, keywordQuery, explain, preferredProject, now: asOf, stopwatch }
  const answer = await askDeepEnough<TimedAnswer>(needs, caller, {
    ...{ request, limit: shownAtMost(request), first: search.limit },
    ask: (limit) =>
      intent
        ? recallTime(needs, { ...question, intent }, { ...search, limit })
        : find(needs, question, { ...search, limit }),
  })
  const { candidates: found, method, degradation, temporal } = answer
  const candidates = await withSpoken(needs, caller, { request, found, during: temporal })
  const { shown, dedupe } = await stopwatch.measure('dedupe', () =>
    choose(needs, caller, { request, candidates }),
  )
  const totalMs = needs.host.now().getTime() - started.getTime()
  announce(needs, caller, { shown, type: temporal ? 'temporal' : method, latencyMs: totalMs })
  needs.events.emit(recallAnswered, {
    ...{ caller, request, sessionKey: sessionKeyOf(caller, request), method, shown },
    ...{ readPolicy: search.readScope.policy, timings: { totalMs, stages: stopwatch.timings } },
  })
  return {
    ...{ results: shown.map(({ row }) => row), query, method },
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
    ...(request.aggregate && { aggregate: withoutSynthesis(request, shown) }),
  }
}

async function toSearch(
  { agents, db, config }: RecallNeeds,
  caller: Caller,
  request: RecallRequest,
): Promise<SearchRequest> {
  const filters = toFilters(caller, request)
  const wanted = Math.max(config().top_k, shownAtMost(request) + fewSpare)
  // Rows that a session knows are replaced by the next ones, so there must be next ones.
  const times = sessionKeyOf(caller, request) ? timesForSession : 1
  const limit = Math.min(mostCandidates, times * wanted)
  const readScope = await agents.readScopeOf(db, caller)
  const exceptSourceType = request.aggregate ? aggregateSource : undefined
  return { readScope, filters, limit, asOf: request.asOf, exceptSourceType }
}

function shownAtMost({ limit }: RecallRequest): number {
  return Math.min(limit, mostReturned)
}

interface Choice {
  readonly request: RecallRequest
  readonly candidates: readonly Candidate[]
}

async function choose(
  needs: RecallNeeds,
  caller: Caller,
  { request, candidates: all }: Choice,
): Promise<{ readonly shown: readonly Candidate[]; readonly dedupe?: Dedupe }> {
  const limit = shownAtMost(request)
  const { minScore = 0, includeRecalled } = request
  const candidates = all.filter(({ row }) => row.score >= minScore)
  const sessionKey = sessionKeyOf(caller, request)
  if (!sessionKey) return { shown: candidates.slice(0, limit) }
  const context = { sessionKey, agentId: caller.agentId }
  const surface = { surface: request.surface ?? 'api.memory.recall', mode: 'explicit' } as const
  return claim(needs, candidates, { context, limit, includeRecalled, surface })
}

interface Deed {
  readonly shown: readonly Candidate[]
  readonly type: PayloadOf<typeof recallPerformed>['type']
  readonly latencyMs: number
}

function announce(
  { counter, events, host }: RecallVerbNeeds,
  { agentId }: Caller,
  { shown, type, latencyMs }: Deed,
): void {
  const ids = new Set(shown.flatMap(({ memory }) => (memory ? [memory.id] : [])))
  counter.note({ ids: [...ids], at: host.now().toISOString() })
  events.emit(recallPerformed, {
    ...{ agentId, type, latencyMs, results: shown.length },
    truncated: shown.some(({ row }) => row.truncated),
  })
}
