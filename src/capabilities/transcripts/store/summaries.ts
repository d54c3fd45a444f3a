import type { Db } from '../../../kernel/db/database.ts'
import type { Summary, ThreadHead } from '../summary.ts'
import { isProject, tables } from './rows.ts'

export interface SummaryFilter {
  readonly agentId: string
  /** Null for summaries without a project. */
  readonly project?: string | null | undefined
  readonly depth?: number | undefined
  readonly sessionKey?: string | undefined
  /** Summaries whose time span overlaps the interval, ISO; the end is exclusive. */
  readonly during?: { readonly start: string; readonly end: string } | undefined
}

type SummaryRef = Pick<Summary, 'agentId' | 'id'>

/** Maximum neighbours of one node in a reply. */
const maxNeighbours = 200

export async function upsertSummary(db: Db, { createdAt, ...summary }: Summary): Promise<void> {
  const { agentId, id, ...changed } = summary
  await tables(db)
    .insertInto('sessionSummaries')
    .values({ ...summary, createdAt })
    .onConflict((conflict) => conflict.columns(['agentId', 'id']).doUpdateSet(changed))
    .execute()
}

/** Replaces the text of a node. A deleted node is not restored. */
export async function rewriteSummary(
  db: Db,
  { agentId, id, content, metaJson, tokenCount }: Summary,
): Promise<void> {
  await tables(db)
    .updateTable('sessionSummaries')
    .set({ content, metaJson, tokenCount })
    .where('agentId', '=', agentId)
    .where('id', '=', id)
    .execute()
}

export async function linkMemories(
  db: Db,
  { agentId, id }: SummaryRef,
  memoryIds: readonly string[],
): Promise<void> {
  if (memoryIds.length === 0) return
  await tables(db)
    .insertInto('sessionSummaryMemories')
    .values(memoryIds.map((memoryId) => ({ agentId, summaryId: id, memoryId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function linkChildren(
  db: Db,
  { agentId, id }: SummaryRef,
  childIds: readonly string[],
): Promise<void> {
  if (childIds.length === 0) return
  const links = childIds.map((childId, ordinal) => ({ agentId, parentId: id, childId, ordinal }))
  await tables(db)
    .insertInto('sessionSummaryChildren')
    .values(links)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

interface DepthFilter {
  readonly agentId: string
  readonly project: string
  readonly depth: number
  readonly limit: number
}

/** Nodes of a depth after the latest of the next depth and without a parent; the oldest first. */
export async function listUncondensed(db: Db, filter: DepthFilter): Promise<Summary[]> {
  const { agentId, project, depth, limit } = filter
  const newest = await summariesQuery(db, { agentId, project, depth: depth + 1 })
    .select('latestAt')
    .orderBy('latestAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return summariesQuery(db, { agentId, project, depth })
    .selectAll()
    .where('latestAt', '>', newest?.latestAt ?? '')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessionSummaryChildren as link')
            .select('link.parentId')
            .whereRef('link.agentId', '=', 'sessionSummaries.agentId')
            .whereRef('link.childId', '=', 'sessionSummaries.id'),
        ),
      ),
    )
    .orderBy('latestAt')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function findSummary(
  db: Db,
  { agentId, id }: SummaryRef,
): Promise<Summary | undefined> {
  return tables(db)
    .selectFrom('sessionSummaries')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The latest first. */
export async function listSummaries(
  db: Db,
  filter: SummaryFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Summary[]> {
  return summariesQuery(db, filter)
    .selectAll()
    .orderBy('latestAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countSummaries(db: Db, filter: SummaryFilter): Promise<number> {
  const { count } = await summariesQuery(db, filter)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function countChildren(
  db: Db,
  agentId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await tables(db)
    .selectFrom('sessionSummaryChildren')
    .select(({ fn }) => ['parentId', fn.countAll<number | string>().as('count')])
    .where('agentId', '=', agentId)
    .where('parentId', 'in', ids)
    .groupBy('parentId')
    .execute()
  return new Map(rows.map(({ parentId, count }) => [parentId, Number(count)]))
}

export function listParents(db: Db, { agentId, id }: SummaryRef): Promise<Summary[]> {
  return tables(db)
    .selectFrom('sessionSummaryChildren as link')
    .innerJoin('sessionSummaries as summary', 'summary.id', 'link.parentId')
    .selectAll('summary')
    .where('summary.agentId', '=', agentId)
    .where('link.agentId', '=', agentId)
    .where('link.childId', '=', id)
    .orderBy('summary.depth')
    .orderBy('summary.id')
    .limit(maxNeighbours)
    .execute()
}

/** In the order of condensation. */
export function listChildren(db: Db, { agentId, id }: SummaryRef): Promise<Summary[]> {
  return tables(db)
    .selectFrom('sessionSummaryChildren as link')
    .innerJoin('sessionSummaries as summary', 'summary.id', 'link.childId')
    .selectAll('summary')
    .where('summary.agentId', '=', agentId)
    .where('link.agentId', '=', agentId)
    .where('link.parentId', '=', id)
    .orderBy('link.ordinal')
    .limit(maxNeighbours)
    .execute()
}

export async function listLinkedIds(
  db: Db,
  { agentId, id, limit }: SummaryRef & { readonly limit: number },
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('sessionSummaryMemories')
    .select('memoryId')
    .where('agentId', '=', agentId)
    .where('summaryId', '=', id)
    .orderBy('memoryId')
    .limit(limit)
    .execute()
  return rows.map(({ memoryId }) => memoryId)
}

function summariesQuery(db: Db, { agentId, project, depth, sessionKey, during }: SummaryFilter) {
  let query = tables(db).selectFrom('sessionSummaries').where('agentId', '=', agentId)
  if (project !== undefined) query = query.where(isProject(project))
  if (depth !== undefined) query = query.where('depth', '=', depth)
  if (during)
    query = query.where('earliestAt', '<', during.end).where('latestAt', '>=', during.start)
  return sessionKey === undefined ? query : query.where('sessionKey', '=', sessionKey)
}

/** An older node has no effect. */
export async function upsertThreadHead(db: Db, head: ThreadHead): Promise<void> {
  const { agentId, threadKey, ...changed } = head
  await tables(db)
    .insertInto('memoryThreadHeads')
    .values(head)
    .onConflict((conflict) =>
      conflict
        .columns(['agentId', 'threadKey'])
        .doUpdateSet(changed)
        .where('memoryThreadHeads.latestAt', '<=', head.latestAt),
    )
    .execute()
}

/** The latest first. */
export function listThreadHeads(
  db: Db,
  { agentId, project }: { readonly agentId: string; readonly project?: string | undefined },
  limit: number,
): Promise<ThreadHead[]> {
  const heads = tables(db)
    .selectFrom('memoryThreadHeads')
    .selectAll()
    .where('agentId', '=', agentId)
    .orderBy('latestAt', 'desc')
    .orderBy('threadKey')
    .limit(limit)
  return (project === undefined ? heads : heads.where('project', '=', project)).execute()
}
