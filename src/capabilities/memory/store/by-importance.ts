import { type SqlBool, sql } from 'kysely'
import { type ReadScope, readableBy } from '../../../kernel/auth/read-scope.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { Memory } from '../memory.ts'
import { memoryColumns, tables, toMemory } from './rows.ts'

/** Importance decays by 5 % a day. */
const decayPerDay = -Math.log(0.95)
const dayMs = 86_400_000
/** 2000-01-01, day 0 of the column. */
const epochMs = 946_684_800_000

export interface DecayedImportanceRequest {
  readonly scope: ReadScope
  readonly now: Date
  readonly limit: number
  /** Minimum of importance × 0.95^days. Pinned memories are exempt. */
  readonly minImportance: number
  /** Only memories of this project. */
  readonly project?: string | undefined
  readonly types?: readonly string[] | undefined
}

/**
 * Lists pinned memories and those with the highest `importance × 0.95^days`. The order of two
 * memories is constant, so it is an indexed column and needs no scan.
 */
export async function listByDecayedImportance(
  db: Db,
  request: DecayedImportanceRequest,
): Promise<Memory[]> {
  const rows = await Promise.all(
    decayedImportanceQueries(db, request).map((query) => query.execute()),
  )
  const byId = new Map(rows.flat().map((row) => [row.id, toMemory(row)]))
  return [...byId.values()]
}

/** One query each for pinned, own and global memories. Each uses its own index. */
export function decayedImportanceQueries(db: Db, request: DecayedImportanceRequest) {
  const { scope, now, limit, minImportance: least, project, types } = request
  const days = (now.getTime() - epochMs) / dayMs
  const floor = Math.log(Math.max(least, Number.MIN_VALUE)) + days * decayPerDay
  // Excludes memories with a creation time in the future.
  const ceiling = days * decayPerDay
  const live = current(db).select(memoryColumns).where(readableBy(scope, 'memories')).limit(limit)
  const ofTypes = types === undefined ? live : live.where('type', 'in', types)
  const selected = project === undefined ? ofTypes : ofTypes.where('project', '=', project)
  const byDecayRank = selected
    .where('pinned', '=', 0)
    .where('decayRank', '>=', floor)
    .where('decayRank', '<=', ceiling)
    .orderBy('decayRank', 'desc')
    .orderBy('id', 'desc')
  const global = byDecayRank.where('visibility', '=', 'global')
  return [
    selected.where('pinned', '=', 1).orderBy('createdAt', 'desc').orderBy('id', 'desc'),
    byDecayRank.where('agentId', '=', scope.agentId),
    ...(scope.policy === 'isolated' ? [] : [global]),
  ]
}

/** Current memories of these ids, unordered. */
export async function listCurrentByIds(db: Db, ids: readonly string[]): Promise<Memory[]> {
  if (ids.length === 0) return []
  const rows = await current(db).select(memoryColumns).where('id', 'in', ids).execute()
  return rows.map(toMemory)
}

/** Current memories of a session, the latest first. */
export async function listBySession(
  db: Db,
  scope: ReadScope,
  { sessionIds, limit }: { readonly sessionIds: readonly string[]; readonly limit: number },
): Promise<Memory[]> {
  const rows = await current(db)
    .select(memoryColumns)
    .where(readableBy(scope, 'memories'))
    .where('agentId', '=', scope.agentId)
    .where('sessionId', 'in', sessionIds)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toMemory)
}

/** The latest memories of a type from which those without a project are selected. */
const maxScanned = 200

/** Current memories without a project, the latest of each type first. */
export async function listGlobal(
  db: Db,
  scope: ReadScope,
  { types, limit }: { readonly types: readonly string[]; readonly limit: number },
): Promise<Memory[]> {
  const ofType = (type: string) =>
    db
      .selectFrom(
        current(db)
          .select(memoryColumns)
          .where(readableBy(scope, 'memories'))
          // The expression of the index.
          .where(sql`coalesce(type, '')`, '=', type)
          .orderBy('createdAt', 'desc')
          .orderBy('id', 'desc')
          .limit(maxScanned)
          .as('latest'),
      )
      .selectAll()
      .where('project', 'is', null)
      .limit(limit)
      .execute()
  return (await Promise.all(types.map(ofType))).flat().map(toMemory)
}

/** Counts readable memories created since a time, up to a maximum. */
export async function countSince(
  db: Db,
  scope: ReadScope,
  { since, maxCount: max }: { readonly since: string; readonly maxCount: number },
): Promise<number> {
  const some = current(db)
    .select(sql<number>`1`.as('one'))
    .where(readableBy(scope, 'memories'))
    .where('createdAt', '>', since)
    .limit(max)
    .as('some')
  const { count } = await db
    .selectFrom(some)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Current memories of these types: pinned first, then by importance and age. */
export async function listByImportance(
  db: Db,
  scope: ReadScope,
  { types, limit }: { readonly types: readonly string[] | undefined; readonly limit: number },
): Promise<Memory[]> {
  const live = current(db)
    .select(memoryColumns)
    .where(readableBy(scope, 'memories'))
    .orderBy('pinned', 'desc')
    .orderBy('importance', 'desc')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  const rows = await (types ? live.where('type', 'in', types) : live).execute()
  return rows.map(toMemory)
}

function current(db: Db) {
  return (
    tables(db)
      .selectFrom('memories')
      .where('deletedAt', 'is', null)
      .where('supersededBy', 'is', null)
      // Namespaced memories are only sent on request.
      .where('scope', 'is', null)
      // Text of others is only shown as an answer, where it is fenced.
      // A literal, as in the condition of the index.
      .where(sql<SqlBool>`coalesce(type, '') <> 'document_chunk'`)
  )
}

/** Those of the memories that another memory superseded. */
export async function listSuperseded(db: Db, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await tables(db)
    .selectFrom('memories')
    .select('id')
    .where('id', 'in', ids)
    .where('supersededBy', 'is not', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** The agent's own newest memories without a namespace, of a project where one is given. */
export async function listNewestIds(
  db: Db,
  request: { readonly agentId: string; readonly project?: string; readonly limit: number },
): Promise<string[]> {
  const { project } = request
  const rows = await current(db)
    .select('id')
    .where('agentId', '=', request.agentId)
    .where('visibility', '!=', 'archived')
    .where('scope', 'is', null)
    .$if(project !== undefined, (query) => query.where('project', '=', project ?? ''))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(request.limit)
    .execute()
  return rows.map(({ id }) => id)
}
