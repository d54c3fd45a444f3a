import type { PayloadOf } from '../../kernel/events/events.ts'
import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import type { promptAnswered } from '../hooks/index.ts'
import type { recallAnswered } from '../recall/index.ts'

/** A memory query and its results at that time. */
export interface Search {
  readonly id: string
  /** ISO. */
  readonly createdAt: string
  /** The operation that received the query. */
  readonly route: string
  readonly agentId: string
  readonly sessionKey: string | null
  readonly project: string | null
  readonly query: string
  readonly keywordQuery: string | null
  readonly method: string
  /** Keyed by wire names. */
  readonly filters: Readonly<Record<string, unknown>>
  readonly durationMs: number
  readonly stages: readonly { readonly name: string; readonly durationMs: number }[]
  readonly results: readonly SearchResult[]
}

export interface SearchResult {
  /** From 1. */
  readonly rank: number
  readonly itemId: string
  /** The content is erased with this memory. */
  readonly memoryId: string | null
  readonly score: number
  readonly source: string
  /** Null once the memory is forgotten. */
  readonly content: string | null
  readonly contentLength: number
  readonly truncated: boolean
}

/** A search with redacted texts, as stored. */
export interface RecordedSearch extends Search {
  readonly query: CleanText
  readonly keywordQuery: CleanText | null
  readonly results: readonly (SearchResult & { readonly content: CleanText | null })[]
}

/** Maximum length of a query and of each result. */
const maxCharacters = 4000
/** More results than any reply contains. */
const maxResults = 100

type NewSearch = Omit<Search, 'id' | 'createdAt'>

const routes: Readonly<Record<string, string>> = {
  'api.memory.recall': 'POST /api/memory/recall',
  'api.memory.search': 'GET /api/memory/search',
  'api.hooks.recall': 'POST /api/hooks/recall',
}

export function fromRecall(answered: PayloadOf<typeof recallAnswered>): NewSearch {
  const { caller, request, sessionKey, readPolicy, method, shown, timings } = answered
  const { surface = 'api.memory.recall', limit, type, tags, who, pinned } = request
  const { since, until, scope, expand, project = caller.scope.project } = request
  return {
    route: routes[surface] ?? surface,
    agentId: caller.agentId,
    sessionKey: sessionKey ?? null,
    project: project ?? null,
    query: request.query,
    keywordQuery: request.keywordQuery ?? null,
    method,
    filters: {
      limit,
      type,
      tags: tags.length > 0 ? tags : undefined,
      who,
      pinned,
      importance_min: request.importanceMin,
      since,
      until,
      scope,
      expand,
      readPolicy,
      project,
    },
    durationMs: timings.totalMs,
    stages: timings.stages,
    results: shown.slice(0, maxResults).map(({ row, memory }, index) => ({
      rank: index + 1,
      itemId: row.id,
      memoryId: memory?.id ?? null,
      score: row.score,
      source: row.source,
      content: row.content,
      contentLength: row.content_length,
      truncated: row.truncated,
    })),
  }
}

export function fromPrompt(prompt: PayloadOf<typeof promptAnswered>): NewSearch {
  const { caller, sessionKey, project, text, terms, engine, shown, latencyMs } = prompt
  return {
    route: 'POST /api/hooks/user-prompt-submit',
    agentId: caller.agentId,
    sessionKey: sessionKey ?? null,
    project,
    query: text,
    keywordQuery: terms.join(' ') || null,
    method: engine,
    filters: {},
    durationMs: latencyMs,
    stages: [],
    results: shown.map(({ id, text, score, source }, index) => ({
      rank: index + 1,
      itemId: id,
      memoryId: /^memory:(.+)$/.exec(source)?.[1] ?? null,
      score,
      source,
      content: text,
      contentLength: text.length,
      truncated: false,
    })),
  }
}

/** Truncates and redacts a search for storage. */
export function toRecorded(search: Search): RecordedSearch {
  const { query, keywordQuery, filters, sessionKey, project, results } = search
  return {
    ...search,
    query: redact(query),
    keywordQuery: keywordQuery === null ? null : redact(keywordQuery),
    filters: Object.fromEntries(
      Object.entries(filters).map(([name, one]) => [name, toFilter(one)]),
    ),
    sessionKey: sessionKey === null ? null : truncate(sessionKey),
    project: project === null ? null : truncate(project),
    results: results.map((result) => {
      const content = redact(result.content ?? '')
      const truncated = result.truncated || (result.content ?? '').length > maxCharacters
      return { ...result, content, truncated }
    }),
  }
}

function toFilter(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toFilter)
  return typeof value === 'string' ? redact(value) : value
}

function redact(text: string): CleanText {
  // Redaction runs before truncation, because a truncated credential is not recognized.
  return truncate(toCleanText(text.slice(0, 2 * maxCharacters)))
}

/** Null without results. */
export function topScoreOf(results: readonly Pick<SearchResult, 'score'>[]): number | null {
  return results.length === 0 ? null : Math.max(...results.map(({ score }) => score))
}

/** Removes halves of surrogate pairs, and NUL, which PostgreSQL rejects. */
function truncate<Text extends string>(text: Text): Text {
  return sliceText(text, 0, maxCharacters).replaceAll('\0', '') as Text
}
