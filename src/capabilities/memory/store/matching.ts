import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { readableBy } from '../../../kernel/db/read-scope.ts'
import type { MemoryFilters, SearchRequest, TimeRange } from '../search-request.ts'
import { memoryColumns, type Tables, tables } from './rows.ts'

/** Every search is narrowed by this: live, current, readable and as the filters say. */
export function matching({ readScope, filters }: SearchRequest): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'memories'>()
  const { type, who, tags = [], pinned, importanceMin, since, until, project, scope } = filters
  return eb.and([
    eb('memories.deletedAt', 'is', null),
    eb('memories.supersededBy', 'is', null),
    readableBy(readScope, 'memories'),
    scope === null ? eb('memories.scope', 'is', null) : eb('memories.scope', '=', scope),
    ...when(type, (value) => eb('memories.type', '=', value)),
    ...when(who, (value) => eb('memories.who', '=', value)),
    ...when(project, (value) => eb('memories.project', '=', value)),
    ...when(pinned, (value) => eb('memories.pinned', '=', value ? 1 : 0)),
    ...when(importanceMin, (value) => eb('memories.importance', '>=', value)),
    ...when(since, (value) => eb('memories.createdAt', '>=', value)),
    ...when(until, (value) => eb('memories.createdAt', '<=', value)),
    ...when(filters.during, overlapping),
    ...tags.map(holdsTag),
  ])
}

export function hasFilter({ scope, tags = [], ...filters }: MemoryFilters): boolean {
  return tags.length > 0 || Object.values(filters).some((value) => value !== undefined)
}

/** Whole memories that match, with how often they were recalled. */
export function selectFound(db: Db, request: SearchRequest) {
  return tables(db)
    .selectFrom('memories')
    .leftJoin('memoryAccess', 'memoryAccess.memoryId', 'memories.id')
    .select(foundColumns)
    .where(matching(request))
    .limit(request.limit)
}

export const foundColumns = [
  ...memoryColumns,
  'memoryAccess.accessCount',
  'memoryAccess.lastAccessed',
] as const

/** `%` and `_` in what is looked for stand for themselves. */
export function contains(column: Expression<string | null>, text: string): Expression<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`lower(${column}) like lower(${pattern}) escape '\\'`
}

function holdsTag(tag: string): Expression<SqlBool> {
  return contains(sql<string>`',' || ${sql.ref('memories.tags')} || ','`, `,${tag},`)
}

function overlapping({ start, end, facets }: TimeRange): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'memories'>()
  const captured = eb.and([
    eb('memories.createdAt', '>=', start),
    eb('memories.createdAt', '<', end),
  ])
  const edge = eb.exists(
    eb
      .selectFrom('temporalEdges')
      .select('temporalEdges.id')
      .where('temporalEdges.subjectType', '=', 'memory')
      .whereRef('temporalEdges.subjectId', '=', 'memories.id')
      .where('temporalEdges.facet', 'in', facets)
      .where('temporalEdges.startAt', '<', end)
      .where(sql<SqlBool>`coalesce(temporal_edges.end_at, temporal_edges.start_at) >= ${start}`),
  )
  return facets.includes('captured') ? eb.or([edge, captured]) : edge
}

function when<Value>(
  value: Value | undefined,
  toCondition: (value: Value) => Expression<SqlBool>,
): Expression<SqlBool>[] {
  return value === undefined ? [] : [toCondition(value)]
}
