import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { TemporalEdge } from '../new-memory.ts'
import type { SearchRequest, TemporalFact, TimeRange } from '../search-request.ts'
import { matchesRequest } from './matching.ts'
import { memoryColumns, tables, toMemory } from './rows.ts'

/** Temporal edges of memories in a range, by confidence and time. */
export async function listMemoryFacts(
  db: Db,
  { start, end, facets }: TimeRange,
  request: SearchRequest,
): Promise<TemporalFact[]> {
  const rows = await tables(db)
    .selectFrom('temporalEdges')
    .innerJoin('memories', 'memories.id', 'temporalEdges.subjectId')
    .select(memoryColumns)
    .select(['temporalEdges.facet', 'temporalEdges.startAt', 'temporalEdges.endAt'])
    .select('temporalEdges.confidence as certainty')
    .where('temporalEdges.subjectType', '=', 'memory')
    .where('temporalEdges.facet', 'in', facets)
    .where('temporalEdges.startAt', '<', end)
    .where(endsAfter(start))
    .where(matchesRequest(db, request))
    .orderBy('temporalEdges.confidence', 'desc')
    .orderBy('temporalEdges.startAt', 'desc')
    .limit(request.limit)
    .execute()
  return rows.map(({ facet, startAt, endAt, certainty: confidence, ...row }) => ({
    subjectType: 'memory',
    subjectId: row.id,
    facet,
    startAt,
    endAt,
    confidence,
    memory: toMemory(row),
  }))
}

/** The same for other subjects of the agent itself. */
export async function listOtherFacts(
  db: Db,
  { start, end, facets }: TimeRange,
  { agentId, limit }: { readonly agentId: string; readonly limit: number },
): Promise<TemporalFact[]> {
  const rows = await tables(db)
    .selectFrom('temporalEdges')
    .select(['subjectType', 'subjectId', 'facet', 'startAt', 'endAt', 'confidence'])
    .where('agentId', '=', agentId)
    .where('subjectType', '!=', 'memory')
    .where('facet', 'in', facets)
    .where('startAt', '<', end)
    .where(endsAfter(start))
    .orderBy('confidence', 'desc')
    .orderBy('startAt', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, memory: undefined }))
}

/** Memories created in the range, latest first. */
export async function listCaptured(
  db: Db,
  { start, end }: TimeRange,
  request: SearchRequest,
): Promise<TemporalFact[]> {
  const rows = await tables(db)
    .selectFrom('memories')
    .select(memoryColumns)
    .where('memories.createdAt', '>=', start)
    .where('memories.createdAt', '<', end)
    .where(matchesRequest(db, request))
    .orderBy('memories.createdAt', 'desc')
    .limit(request.limit)
    .execute()
  return rows.map((row) => ({
    subjectType: 'memory',
    subjectId: row.id,
    facet: 'captured',
    confidence: 0.7,
    startAt: row.createdAt,
    endAt: null,
    memory: toMemory(row),
  }))
}

function endsAfter(start: string) {
  return sql<SqlBool>`coalesce(temporal_edges.end_at, temporal_edges.start_at) >= ${start}`
}

/** An existing edge retains its start and gets the new end. */
export async function upsertEdges(db: Db, edges: readonly TemporalEdge[]): Promise<void> {
  if (edges.length === 0) return
  await tables(db)
    .insertInto('temporalEdges')
    .values(edges)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({ endAt: ref('excluded.endAt') })),
    )
    .execute()
}
