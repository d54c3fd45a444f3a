import { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import * as value from '../../kernel/http/wire-values.ts'
import type { MemoryFilters } from '../memory/index.ts'
import { parseTime } from './temporal-intent.ts'

const budgets = ['small', 'medium', 'large'] as const
type AggregateBudget = (typeof budgets)[number]

const searchRanges = ['global', 'agent', 'session'] as const

const agent = { agentId: value.ignored, agent_id: value.ignored }

const filters = {
  type: value.text,
  who: value.text,
  tags: value.list,
  pinned: value.flag,
  importance_min: value.number,
  since: value.time('since'),
  until: value.time('until'),
  project: value.text,
}

const budget = z
  .unknown()
  .meta({ enum: [...budgets, null] })
  .optional()

const timeZone = z
  .string()
  .refine(isTimeZone, 'timeZone must be an IANA time zone')
  .meta({ pattern: '^[A-Za-z]', examples: ['Europe/Berlin'] })
  .nullish()

const shared = {
  ...filters,
  ...agent,
  limit: value.integer('limit', { min: 1, max: 100, default: 10 }),
  expand: value.flag,
  sessionKey: value.text,
  session_key: value.text,
  excludedSessions: value.list,
  includeRecalled: value.flag,
  include_recalled: value.flag,
  minScore: value.number,
  minConfidence: value.share('minConfidence'),
  min_confidence: value.share('min_confidence'),
  referenceTime: value.time('referenceTime'),
  reference_time: value.time('reference_time'),
  timeZone,
  time_zone: timeZone,
  explain: value.flag,
  asOf: value.time('asOf'),
  as_of: value.time('as_of'),
  sources: value.flag.describe(
    'Whether text of sources is among the results: false leaves it out; true gives it no smaller share than memories. By default at least half of the results are memories.',
  ),
  within: z.enum(searchRanges, 'within must be global, agent or session').nullish(),
}

export const recallBody = z
  .object({
    query: value.requiredCleanText('query'),
    keywordQuery: value.cleanText,
    keyword_query: value.cleanText,
    ...shared,
    scope: value.text,
    time: z
      .unknown()
      .meta({ type: ['object', 'null'] })
      .optional(),
    aggregate: value.flag,
    aggregateBudget: budget,
    aggregate_budget: budget,
    saveAggregate: value.flag,
    save_aggregate: value.flag,
  })
  .transform((body, context) => {
    const issue = (message: string) => {
      context.issues.push({ code: 'custom', message, input: body, path: [] })
    }
    const budget = body.aggregateBudget ?? body.aggregate_budget ?? 'medium'
    if (!isBudget(budget)) issue('aggregateBudget must be small, medium or large')
    return {
      ...toCommon(body),
      query: body.query,
      keywordQuery: body.keywordQuery ?? body.keyword_query,
      /** Null selects unscoped memories. */
      scope: body.scope ?? null,
      time: parseTime(body.time, issue),
      aggregate: body.aggregate ?? false,
      aggregateBudget: isBudget(budget) ? budget : 'medium',
      saveAggregate: wantsSave(body),
    }
  })

/** Whether an unvalidated body asks to save the aggregate. */
export function wantsSave(body: unknown): boolean {
  const { saveAggregate, save_aggregate } = Object(body)
  const flags = [saveAggregate, save_aggregate].map((sent) => value.flag.safeParse(sent).data)
  return flags[0] ?? flags[1] ?? false
}

export const recallQuery = z.object({ q: value.requiredCleanText('query'), ...shared }).transform(
  (query): RecallRequest => ({
    ...toCommon(query),
    query: query.q,
    keywordQuery: undefined,
    scope: null,
    time: undefined,
    aggregate: false,
    aggregateBudget: 'medium',
    saveAggregate: false,
  }),
)

export const textSearchQuery = z
  .object({
    q: value.cleanText,
    distinct: value.text,
    limit: value.integer('limit', { min: 1, max: 1000, default: undefined }),
    ...agent,
    ...filters,
  })
  .transform(({ q, distinct, limit, ...rest }) => ({
    q,
    distinct: distinct === 'who' ? ('who' as const) : undefined,
    limit,
    filters: { ...readFilters(rest), scope: null },
  }))
export type TextSearchQuery = z.output<typeof textSearchQuery>

export interface RecallRequest extends Omit<RecallFields, 'query' | 'keywordQuery'> {
  readonly query: string
  /** An FTS expression that replaces the terms of the query. */
  readonly keywordQuery: string | undefined
  /** Boosts memories of this project; filters none. */
  readonly preferredProject?: string | undefined
  /** Ends the calls of models when the caller goes away. */
  readonly signal?: AbortSignal | undefined
  /** The calling operation, for the ledger; defaults to the recall API. */
  readonly surface?: string | undefined
}

type RecallFields = z.output<typeof recallBody>
type Shared = z.output<z.ZodObject<typeof shared>>

function toCommon(wire: Shared) {
  return {
    ...readFilters(wire),
    limit: wire.limit ?? 10,
    sessionKey: wire.sessionKey ?? wire.session_key,
    /** Sessions whose transcripts are not searched, because one of them may be the calling session. */
    excludedSessions: wire.excludedSessions,
    /** False leaves text of sources out; true reserves no places for memories. */
    sources: wire.sources,
    /** All readable memories, the agent's own, or those of its session. */
    within: wire.within ?? 'global',
    includeRecalled: wire.includeRecalled ?? wire.include_recalled ?? false,
    expand: wire.expand ?? false,
    minScore: wire.minScore,
    /** Rows with a lower confidence are dropped, 0 to 1. */
    minConfidence: wire.minConfidence ?? wire.min_confidence,
    /** ISO time that phrases such as "yesterday" refer to. */
    referenceTime: wire.referenceTime ?? wire.reference_time,
    /** An IANA name. */
    timeZone: (wire.timeZone ?? wire.time_zone) || undefined,
    explain: wire.explain ?? false,
    /** ISO time; recalls the memories current at that time. */
    asOf: wire.asOf ?? wire.as_of,
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** Memory filters; undefined restricts nothing. */
function readFilters(wire: z.output<z.ZodObject<typeof filters>>) {
  const { type, who, tags = [], pinned, importance_min: importanceMin, since, until } = wire
  return { type, who, tags, pinned, importanceMin, since, until, project: wire.project }
}

function isBudget(budget: unknown): budget is AggregateBudget {
  return budgets.some((known) => known === budget)
}

/** Maps a request to memory filters. */
export function toFilters(caller: Caller, request: RecallRequest): MemoryFilters {
  const { type, who, tags, pinned, importanceMin, since, until, project, scope, within } = request
  return {
    type,
    who,
    tags,
    pinned,
    importanceMin,
    since,
    until,
    project,
    scope,
    agentId: within === 'agent' ? caller.agentId : undefined,
    sessionId: within === 'session' ? requireSession(caller, request) : undefined,
  }
}

/** The session key of the request or of the caller. */
export function sessionKeyOf(caller: Caller, request: RecallRequest): string | undefined {
  return request.sessionKey ?? (caller.sessionKey || undefined)
}

function requireSession(caller: Caller, request: RecallRequest): string {
  const sessionKey = sessionKeyOf(caller, request)
  if (sessionKey !== undefined) return sessionKey
  const message = 'within=session requires session_key'
  throw new Refusal('invalid', 'session_required', message)
}
