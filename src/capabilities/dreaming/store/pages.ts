import type { Db } from '../../../kernel/db/database.ts'
import { listParts } from '../../../kernel/db/insert-rows.ts'
import { type PageRow, tables } from './rows.ts'

/** Pages of one agent. */
const maxPages = 500
const minSources = 3
const minOccasions = 2

/** Subjects with claims from enough sources on enough occasions, the best supported first. */
export async function listTopics(db: Db, agentId: string): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('dreamingFacts')
    .select(({ fn, val }) => [
      'subject',
      fn.count<number | string>('sourceId').distinct().as('sources'),
      fn
        .count<number | string>(
          fn.coalesce('session', fn<string>('substr', ['assertedAt', val(1), val(10)])),
        )
        .distinct()
        .as('occasions'),
    ])
    .where('agentId', '=', agentId)
    .where('state', '=', 'live')
    .where('attributeId', 'is not', null)
    .groupBy('subject')
    .orderBy('sources', 'desc')
    .orderBy('subject')
    .limit(maxPages * 2)
    .execute()
  return rows
    .filter(
      ({ sources, occasions }) =>
        Number(sources) >= minSources && Number(occasions) >= minOccasions,
    )
    .slice(0, maxPages)
    .map(({ subject }) => subject)
}

export function listPages(db: Db, agentId: string, limit = maxPages): Promise<PageRow[]> {
  return tables(db)
    .selectFrom('dreamingPages')
    .selectAll()
    .where('agentId', '=', agentId)
    .orderBy('claims', 'desc')
    .orderBy('name')
    .limit(limit)
    .execute()
}

export async function savePage(db: Db, row: PageRow): Promise<void> {
  const { entityId, digest, claims, parts, updatedAt } = row
  await tables(db)
    .insertInto('dreamingPages')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['agentId', 'name'])
        .doUpdateSet({ entityId, digest, claims, parts, updatedAt }),
    )
    .execute()
}

export async function deletePages(
  db: Db,
  agentId: string,
  names: readonly string[],
): Promise<void> {
  for (const part of listParts(names))
    await tables(db)
      .deleteFrom('dreamingPages')
      .where('agentId', '=', agentId)
      .where('name', 'in', part)
      .execute()
}

/** Pages that show words of purged sources; the next pass builds them again. */
export async function deletePagesOf(
  db: Db,
  agentId: string,
  refs: readonly string[],
): Promise<void> {
  for (const ref of refs)
    await tables(db)
      .deleteFrom('dreamingPages')
      .where('agentId', '=', agentId)
      .where('parts', 'like', `%"${ref}"%`)
      .execute()
}

/** Sources that state something about a subject, the newest first. */
export async function listSourcesOf(
  db: Db,
  {
    agentId,
    subject,
    limit,
  }: { readonly agentId: string; readonly subject: string; readonly limit: number },
) {
  const rows = await tables(db)
    .selectFrom('dreamingFacts')
    .select(({ fn }) => ['sourceKind', 'sourceId', fn.max('assertedAt').as('assertedAt')])
    .where('agentId', '=', agentId)
    .where('subject', '=', subject)
    .where('state', '=', 'live')
    .groupBy(['sourceKind', 'sourceId'])
    .orderBy('assertedAt', 'desc')
    .orderBy('sourceId')
    .limit(limit)
    .execute()
  return rows.map(({ sourceKind, sourceId }) => ({ sourceKind, sourceId }))
}
