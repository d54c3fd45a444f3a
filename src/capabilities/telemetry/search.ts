import type { PayloadOf } from '../../kernel/events/events.ts'
import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
import type { promptAnswered } from '../hooks/index.ts'
import type { recallAnswered } from '../recall/index.ts'

/** A question to the memory and what it was told, as it was then. */
export interface Search {
  readonly id: string
  /** ISO. */
  readonly createdAt: string
  /** Where it was asked. */
  readonly route: string
  readonly agentId: string
  readonly sessionKey: string | null
  readonly project: string | null
  readonly query: string
  readonly keywordQuery: string | null
  readonly method: string
  /** By their names on the wire. */
  readonly filters: Readonly<Record<string, unknown>>
  readonly durationMs: number
  readonly stages: readonly { readonly name: string; readonly durationMs: number }[]
  readonly results: readonly SearchResult[]
}

export interface SearchResult {
  /** From 1. */
  readonly rank: number
  readonly itemId: string
  /** With the memory goes the content. */
  readonly memoryId: string | null
  readonly score: number
  readonly source: string
  /** Null once the memory is forgotten. */
  readonly content: string | null
  readonly contentLength: number
  readonly truncated: boolean
}

/** A search as the store takes it. */
export interface KeptSearch extends Search {
  readonly query: CleanText
  readonly keywordQuery: CleanText | null
  readonly results: readonly (SearchResult & { readonly content: CleanText | null })[]
}

/** Of a question, and of each result. */
const mostCharacters = 4000
/** More would be no session's answer. */
const mostResults = 100

type Asked = Omit<Search, 'id' | 'createdAt'>

const routes: Readonly<Record<string, string>> = {
  'api.memory.recall': 'POST /api/memory/recall',
  'api.memory.search': 'GET /api/memory/search',
  'api.hooks.recall': 'POST /api/hooks/recall',
}

export function fromRecall(answered: PayloadOf<typeof recallAnswered>): Asked {
  const { caller, request, sessionKey, readPolicy, method, shown, timings } = answered
  const { surface = 'api.memory.recall', limit, type, tags, who, pinned } = request
  const { since, until, scope, expand, project = caller.scope.project } = request
  return {
    route: routes[surface] ?? surface,
    ...{ agentId: caller.agentId, sessionKey: sessionKey ?? null, project: project ?? null },
    ...{ query: request.query, keywordQuery: request.keywordQuery ?? null, method },
    filters: {
      ...{ limit, type, tags: tags.length > 0 ? tags : undefined, who, pinned },
      ...{ importance_min: request.importanceMin, since, until, scope, expand },
      ...{ readPolicy, project },
    },
    ...{ durationMs: timings.totalMs, stages: timings.stages },
    results: shown.slice(0, mostResults).map(({ row, memory }, index) => ({
      ...{ rank: index + 1, itemId: row.id, memoryId: memory?.id ?? null },
      ...{ score: row.score, source: row.source, content: row.content },
      ...{ contentLength: row.content_length, truncated: row.truncated },
    })),
  }
}

export function fromPrompt(prompt: PayloadOf<typeof promptAnswered>): Asked {
  const { caller, sessionKey, project, text, terms, engine, told, latencyMs } = prompt
  return {
    route: 'POST /api/hooks/user-prompt-submit',
    ...{ agentId: caller.agentId, sessionKey: sessionKey ?? null, project, query: text },
    ...{ keywordQuery: terms.join(' ') || null, method: engine, filters: {} },
    ...{ durationMs: latencyMs, stages: [] },
    results: told.map(({ id, text, score, source }, index) => ({
      ...{ rank: index + 1, itemId: id, memoryId: /^memory:(.+)$/.exec(source)?.[1] ?? null },
      ...{ score, source, content: text, contentLength: text.length, truncated: false },
    })),
  }
}

/** As much of it as is kept, without what must not be. */
export function toKept(search: Search): KeptSearch {
  const { query, keywordQuery, filters, sessionKey, project, results } = search
  return {
    ...search,
    query: tidy(query),
    keywordQuery: keywordQuery === null ? null : tidy(keywordQuery),
    filters: Object.fromEntries(
      Object.entries(filters).map(([name, one]) => [name, toFilter(one)]),
    ),
    sessionKey: sessionKey === null ? null : cut(sessionKey),
    project: project === null ? null : cut(project),
    results: results.map((result) => {
      const content = tidy(result.content ?? '')
      const truncated = result.truncated || (result.content ?? '').length > mostCharacters
      return { ...result, content, truncated }
    }),
  }
}

function toFilter(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toFilter)
  return typeof value === 'string' ? tidy(value) : value
}

function tidy(text: string): CleanText {
  // A credential that is cut in two is not recognised: what is cut off is cleaned as well.
  return cut(toCleanText(text.slice(0, 2 * mostCharacters)))
}

/** Null where there were none. */
export function topScoreOf(results: readonly Pick<SearchResult, 'score'>[]): number | null {
  return results.length === 0 ? null : Math.max(...results.map(({ score }) => score))
}

/** Half a character is none, and a zero is none that a server would keep. */
function cut<Text extends string>(text: Text): Text {
  return text.slice(0, mostCharacters).toWellFormed().replaceAll('\0', '') as Text
}
