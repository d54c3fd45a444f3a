import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import type { MemoryFilters, SearchRequest, TimeRange } from '../search-request.ts'
import { matchesLive } from './filter.ts'
import { type Tables, tables } from './rows.ts'

/** The condition of every search: live, current, readable and matching the filters. */
export function matchesRequest(db: Db, request: SearchRequest): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'memories'>()
  const { readScope, filters, asOf, exceptSourceType } = request
  const { during, scope, ...filter } = filters
  return eb.and([
    matchesLive(readScope, { ...filter, scope: scope ?? undefined }),
    asOf === undefined ? eb('memories.supersededBy', 'is', null) : currentAt(asOf),
    ...(during ? [overlapsRange(db, during, { isCurrent: asOf === undefined })] : []),
    ...(exceptSourceType === undefined ? [] : [eb('memories.sourceType', '!=', exceptSourceType)]),
  ])
}

export function hasFilter({ scope, tags = [], ...filters }: MemoryFilters): boolean {
  return tags.length > 0 || Object.values(filters).some((value) => value !== undefined)
}

/** Selects the reply fields and access counts of matching memories. */
export function selectHits(db: Db, request: SearchRequest, isMatch = matchesRequest(db, request)) {
  return tables(db)
    .selectFrom('memories')
    .leftJoin('memoryAccess', 'memoryAccess.memoryId', 'memories.id')
    .select(hitColumns)
    .where(isMatch)
    .limit(request.limit)
}

export const hitColumns = [
  'memories.id',
  'memories.content',
  'memories.type',
  'memories.tags',
  'memories.pinned',
  'memories.importance',
  'memories.confidence',
  'memories.createdAt',
  'memories.agentId',
  'memories.who',
  'memories.visibility',
  'memories.scope',
  'memories.project',
  'memories.sessionId',
  'memories.sourceType',
  'memories.sourceId',
  'memories.sourcePath',
  'memoryAccess.accessCount',
  'memoryAccess.lastAccessed',
] as const

/**
 * Created by then, not yet superseded, and valid then if its validity is known. A successor
 * supersedes from its own creation time, when that is earlier.
 */
function currentAt(at: string): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'memories'>()
  const validity = eb
    .selectFrom('temporalEdges')
    .select('temporalEdges.id')
    .where('temporalEdges.subjectType', '=', 'memory')
    .whereRef('temporalEdges.subjectId', '=', 'memories.id')
    .where('temporalEdges.facet', '=', 'valid')
  const validThen = validity
    .where('temporalEdges.startAt', '<=', at)
    .where(({ or, eb }) =>
      or([eb('temporalEdges.endAt', 'is', null), eb('temporalEdges.endAt', '>', at)]),
    )
  const successorKnown = eb
    .selectFrom('memories as successor')
    .select('successor.id')
    .whereRef('successor.id', '=', 'memories.supersededBy')
    .where('successor.createdAt', '<=', at)
  return eb.and([
    eb('memories.createdAt', '<=', at),
    eb.or([
      eb('memories.supersededBy', 'is', null),
      eb.and([eb('memories.supersededAt', '>', at), eb.not(eb.exists(successorKnown))]),
    ]),
    eb.or([eb.not(eb.exists(validity)), eb.exists(validThen)]),
  ])
}

/** Each condition uses an index, which avoids a full scan. */
function overlapsRange(
  db: Db,
  { start, end, facets }: TimeRange,
  { isCurrent }: { readonly isCurrent: boolean },
): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'memories'>()
  const isCreatedWithin = eb.and([
    eb('memories.createdAt', '>=', start),
    eb('memories.createdAt', '<', end),
    eb('memories.deletedAt', 'is', null),
    ...(isCurrent ? [eb('memories.supersededBy', 'is', null)] : []),
  ])
  const hasEventWithin = eb
    .selectFrom('temporalEdges')
    .select('temporalEdges.subjectId')
    .where('temporalEdges.subjectType', '=', 'memory')
    .where('temporalEdges.facet', 'in', facets)
    .where('temporalEdges.startAt', '<', end)
    .where(sql<SqlBool>`coalesce(temporal_edges.end_at, temporal_edges.start_at) >= ${start}`)
  const edge = isAmong(db, hasEventWithin)
  return facets.includes('captured') ? eb.or([edge, isCreatedWithin]) : edge
}

/** PostgreSQL evaluates an array once; `in` would run the subquery for each row. */
export function isAmong(db: Db, ids: Expression<unknown>): Expression<SqlBool> {
  return engineOf(db) === 'postgres'
    ? sql<SqlBool>`memories.id = any(array(${ids}))`
    : sql<SqlBool>`memories.id in (${ids})`
}
