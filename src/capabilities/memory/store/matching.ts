import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import type { MemoryFilters, SearchRequest, TimeRange } from '../search-request.ts'
import { liveMatching } from './filter.ts'
import { type Tables, tables } from './rows.ts'

/** Every search is narrowed by this: live, current, readable and as the filters say. */
export function matching(db: Db, request: SearchRequest): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'memories'>()
  const { readScope, filters, asOf, exceptSourceType } = request
  const { during, scope, ...filter } = filters
  return eb.and([
    liveMatching(readScope, { ...filter, scope: scope ?? undefined }),
    asOf === undefined ? eb('memories.supersededBy', 'is', null) : currentAt(asOf),
    ...(during ? [overlapping(db, during, { isCurrent: asOf === undefined })] : []),
    ...(exceptSourceType === undefined ? [] : [eb('memories.sourceType', '!=', exceptSourceType)]),
  ])
}

export function hasFilter({ scope, tags = [], ...filters }: MemoryFilters): boolean {
  return tags.length > 0 || Object.values(filters).some((value) => value !== undefined)
}

/** Memories that match, as much of them as answers tell, with how often they were recalled. */
export function selectFound(db: Db, request: SearchRequest, isMatch = matching(db, request)) {
  return tables(db)
    .selectFrom('memories')
    .leftJoin('memoryAccess', 'memoryAccess.memoryId', 'memories.id')
    .select(foundColumns)
    .where(isMatch)
    .limit(request.limit)
}

export const foundColumns = [
  'memories.id',
  'memories.content',
  'memories.type',
  'memories.tags',
  'memories.pinned',
  'memories.importance',
  'memories.confidence',
  'memories.createdAt',
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
 * Kept by then, superseded no sooner, and valid then where its validity is known. What took its place
 * did so at the time of its own source, where that is earlier than the deed.
 */
function currentAt(at: string): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'memories'>()
  const validity = eb
    .selectFrom('temporalEdges')
    .select('temporalEdges.id')
    .where('temporalEdges.subjectType', '=', 'memory')
    .whereRef('temporalEdges.subjectId', '=', 'memories.id')
    .where('temporalEdges.facet', '=', 'valid')
  const then = validity
    .where('temporalEdges.startAt', '<=', at)
    .where(({ or, eb }) =>
      or([eb('temporalEdges.endAt', 'is', null), eb('temporalEdges.endAt', '>', at)]),
    )
  const known = eb
    .selectFrom('memories as successor')
    .select('successor.id')
    .whereRef('successor.id', '=', 'memories.supersededBy')
    .where('successor.createdAt', '<=', at)
  return eb.and([
    eb('memories.createdAt', '<=', at),
    eb.or([
      eb('memories.supersededBy', 'is', null),
      eb.and([eb('memories.supersededAt', '>', at), eb.not(eb.exists(known))]),
    ]),
    eb.or([eb.not(eb.exists(validity)), eb.exists(then)]),
  ])
}

/** Each of the conditions is that of an index, so that not all memories are read for them. */
function overlapping(
  db: Db,
  { start, end, facets }: TimeRange,
  { isCurrent }: { readonly isCurrent: boolean },
): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, 'memories'>()
  const captured = eb.and([
    eb('memories.createdAt', '>=', start),
    eb('memories.createdAt', '<', end),
    eb('memories.deletedAt', 'is', null),
    ...(isCurrent ? [eb('memories.supersededBy', 'is', null)] : []),
  ])
  const happened = eb
    .selectFrom('temporalEdges')
    .select('temporalEdges.subjectId')
    .where('temporalEdges.subjectType', '=', 'memory')
    .where('temporalEdges.facet', 'in', facets)
    .where('temporalEdges.startAt', '<', end)
    .where(sql<SqlBool>`coalesce(temporal_edges.end_at, temporal_edges.start_at) >= ${start}`)
  const edge = isAmong(db, happened)
  return facets.includes('captured') ? eb.or([edge, captured]) : edge
}

/** A server makes an array of the ids before it looks for memories: of a list it would ask for each. */
export function isAmong(db: Db, ids: Expression<unknown>): Expression<SqlBool> {
  return engineOf(db) === 'postgres'
    ? sql<SqlBool>`memories.id = any(array(${ids}))`
    : sql<SqlBool>`memories.id in (${ids})`
}
