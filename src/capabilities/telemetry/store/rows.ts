import type { Db } from '../../../kernel/db/database.ts'
import { type Search, type SearchResult, topScoreOf } from '../search.ts'

export interface SearchRow extends Omit<Search, 'filters' | 'stages' | 'results'> {
  /** JSON, as are the stages. */
  readonly filters: string
  readonly stages: string
  readonly resultCount: number
  readonly topScore: number | null
}

interface ResultRow extends Omit<SearchResult, 'truncated'> {
  readonly searchId: string
  readonly truncated: 0 | 1
}

export interface EventTableRow {
  readonly id: string
  readonly event: string
  readonly timestamp: string
  readonly agentId: string
  /** JSON. */
  readonly properties: string
}

export type Tables = {
  telemetryEvents: EventTableRow
  memorySearchTelemetry: SearchRow
  memorySearchTelemetryResults: ResultRow
}
export const tables = (db: Db) => db.withTables<Tables>()

export function toSearchRow({ results, filters, stages, ...search }: Search): SearchRow {
  return {
    ...search,
    filters: JSON.stringify(filters),
    stages: JSON.stringify(stages),
    resultCount: results.length,
    topScore: topScoreOf(results),
  }
}

export function toResultRows({ id, results }: Search): ResultRow[] {
  return results.map(({ truncated, ...result }) => ({
    ...result,
    searchId: id,
    truncated: truncated ? 1 : 0,
  }))
}

export function toSearch(
  { filters, stages, resultCount: _, topScore: __, ...row }: SearchRow,
  results: readonly ResultRow[],
): Search {
  return {
    ...row,
    filters: JSON.parse(filters),
    stages: JSON.parse(stages),
    results: results.map(toResult),
  }
}

function toResult({ searchId: _, truncated, ...result }: ResultRow): SearchResult {
  return { ...result, truncated: truncated === 1 }
}

/** A usage event of counts and names, without user text. */
export interface TelemetryEvent {
  readonly id: string
  readonly event: string
  /** ISO. */
  readonly timestamp: string
  readonly properties: Properties
}

export type Properties = Readonly<Record<string, string | number | boolean | null>>
