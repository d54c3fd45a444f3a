import { type Expression, expressionBuilder, type SqlBool } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import type { RecordedSearch, Search } from '../search.ts'
import { type SearchRow, type Tables, tables, toResultRows, toSearch, toSearchRow } from './rows.ts'

/** Nine bind parameters a row stay below the limit of both engines. */
const insertBatchSize = 500

export async function insertSearches(db: Db, searches: readonly RecordedSearch[]): Promise<void> {
  const results = searches.flatMap(toResultRows)
  await transaction(db, async (db) => {
    await tables(db).insertInto('memorySearchTelemetry').values(searches.map(toSearchRow)).execute()
    for (let at = 0; at < results.length; at += insertBatchSize)
      await tables(db)
        .insertInto('memorySearchTelemetryResults')
        .values(results.slice(at, at + insertBatchSize))
        .execute()
  })
}

export interface SearchFilter {
  readonly agentId?: string | undefined
  readonly project?: string | undefined
  readonly sessionKey?: string | undefined
  readonly route?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly noHits?: boolean | undefined
}

interface Page {
  readonly limit: number
  readonly offset: number
  /** The last row of the previous page. */
  readonly after?: Pick<Search, 'id' | 'createdAt'> | undefined
}

/** All projects, or one project with or without rows of no project. */
export type Projects = undefined | { readonly project: string; readonly includeUnscoped: boolean }

/** Lists searches with their results, latest first. */
export async function listSearches(db: Db, filter: SearchFilter, page: Page): Promise<Search[]> {
  const { since, until, noHits, ...named } = filter
  const { after, limit, offset } = page
  const { createdAt = '', id = '' } = after ?? {}
  const rows = await tables(db)
    .selectFrom('memorySearchTelemetry')
    .selectAll()
    .where(({ and }) => and(omitUndefined(named)))
    .$if(since !== undefined, (query) => query.where('createdAt', '>=', since ?? ''))
    .$if(until !== undefined, (query) => query.where('createdAt', '<=', until ?? ''))
    .$if(noHits !== undefined, (query) => query.where('resultCount', noHits ? '=' : '>', 0))
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), '<', tuple(createdAt, id)),
      ),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return withResults(db, rows)
}

/** Lists the searches of a session, latest first. */
export async function listSearchesOfSession(
  db: Db,
  { agentId, sessionKey }: { readonly agentId: string; readonly sessionKey: string },
  { projects, limit }: { readonly projects: Projects; readonly limit: number },
): Promise<Search[]> {
  const rows = await tables(db)
    .selectFrom('memorySearchTelemetry')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .where(inProjects(projects))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return withResults(db, rows)
}

/** Counts searches by session, latest first. */
export async function countSearches(
  db: Db,
  { agentId, projects }: { readonly agentId: string; readonly projects: Projects },
  { keys, limit }: { readonly keys?: readonly string[]; readonly limit: number },
) {
  const rows = await tables(db)
    .selectFrom('memorySearchTelemetry')
    .select(({ fn }) => [
      'sessionKey',
      fn.max('project').as('project'),
      fn.max('createdAt').as('lastAt'),
      fn.countAll<number | string>().as('count'),
    ])
    .where('agentId', '=', agentId)
    .where('sessionKey', 'is not', null)
    .where(inProjects(projects))
    .$if(keys !== undefined, (query) => query.where('sessionKey', 'in', keys ?? []))
    .groupBy('sessionKey')
    .orderBy('lastAt', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, sessionKey: row.sessionKey ?? '', count: Number(row.count) }))
}

/** Erases the recorded contents of each memory; the rows stay. */
export async function eraseContents(db: Db, memoryIds: readonly string[]): Promise<void> {
  if (memoryIds.length === 0) return
  await tables(db)
    .updateTable('memorySearchTelemetryResults')
    .set({ content: null })
    .where('memoryId', 'in', memoryIds)
    .where('content', 'is not', null)
    .execute()
}

/** Lists ids of each memory with recorded contents, in order. */
export async function listRecordedMemoryIds(
  db: Db,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom('memorySearchTelemetryResults')
    .select('memoryId')
    .distinct()
    .where('content', 'is not', null)
    .where('memoryId', '>', after)
    .orderBy('memoryId')
    .limit(limit)
    .execute()
  return rows.flatMap(({ memoryId }) => memoryId ?? [])
}

export async function deleteSearchesOf(db: Db, agentId: string): Promise<void> {
  await tables(db).deleteFrom('memorySearchTelemetry').where('agentId', '=', agentId).execute()
}

/** Deletes the oldest rows before this time; returns their number. */
export async function deleteSearchesBefore(
  db: Db,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('memorySearchTelemetry')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('memorySearchTelemetry')
        .select('id')
        .where('createdAt', '<', before)
        .orderBy('createdAt')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

async function withResults(db: Db, rows: readonly SearchRow[]): Promise<Search[]> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const results = await tables(db)
    .selectFrom('memorySearchTelemetryResults')
    .selectAll()
    .where('searchId', 'in', ids)
    .orderBy('searchId')
    .orderBy('rank')
    .execute()
  const resultsBySearch = Map.groupBy(results, ({ searchId }) => searchId)
  return rows.map((row) => toSearch(row, resultsBySearch.get(row.id) ?? []))
}

function inProjects(projects: Projects): Expression<SqlBool> {
  const { eb, and, or } = expressionBuilder<Tables, 'memorySearchTelemetry'>()
  if (!projects) return and([])
  const { project, includeUnscoped } = projects
  return or([eb('project', '=', project), ...(includeUnscoped ? [eb('project', 'is', null)] : [])])
}

function omitUndefined<Fields extends object>(fields: Fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof Fields]?: NonNullable<Fields[Name]> }
}
