import type { OnConflictBuilder } from 'kysely'
import { compileOnce } from '../../../kernel/db/compile-once.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { listProjectsOf } from '../../../kernel/db/list-projects.ts'
import type { Presence, SessionId } from '../session.ts'
import { type Tables, tables } from './rows.ts'
import { findWindow } from './windows.ts'

const columns = [
  'key',
  'sessionKey',
  'agentId',
  'harness',
  'project',
  'runtimePath',
  'provider',
  'startedAt',
  'lastSeenAt',
] as const satisfies readonly (keyof Presence)[]

export const upsertPresenceQuery = compileOnce(insertPresenceQuery)

/** The same for a runtime path: no effect unless the path has the claim. */
export const upsertClaimedPresenceQuery = compileOnce((db, presence: Presence) =>
  tables(db)
    .insertInto('sessionPresence')
    .columns(columns)
    .expression(
      tables(db)
        .selectNoFrom(({ val }) => columns.map((column) => val(presence[column]).as(column)))
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('sessionClaims')
              .select('sessionKey')
              .where('agentId', '=', presence.agentId)
              .where('sessionKey', '=', presence.sessionKey)
              .where('state', '=', 'active')
              .where('runtimePath', '=', presence.runtimePath),
          ),
        ),
    )
    .onConflict(mergePresence),
)

function insertPresenceQuery(db: Db, presence: Presence) {
  return tables(db).insertInto('sessionPresence').values(presence).onConflict(mergePresence)
}

/** A stored presence retains its start, and each value that the new one lacks. */
function mergePresence(conflict: OnConflictBuilder<Tables, 'sessionPresence'>) {
  return conflict.columns(['agentId', 'key']).doUpdateSet(({ ref, fn }) => ({
    harness: ref('excluded.harness'),
    project: fn.coalesce('sessionPresence.project', 'excluded.project'),
    runtimePath: fn.coalesce('excluded.runtimePath', 'sessionPresence.runtimePath'),
    provider: fn.coalesce('excluded.provider', 'sessionPresence.provider'),
    lastSeenAt: ref('excluded.lastSeenAt'),
  }))
}

export function upsertPresence(db: Db, presence: Presence): Promise<Presence> {
  return insertPresenceQuery(db, presence).returningAll().executeTakeFirstOrThrow()
}

export function findPresence(db: Db, { agentId, sessionKey }: SessionId, seenAfter: string) {
  return tables(db)
    .selectFrom('sessionPresence')
    .selectAll()
    .where('agentId', '=', agentId)
    .where('key', '=', `session:${sessionKey}`)
    .where('lastSeenAt', '>', seenAfter)
    .executeTakeFirst()
}

interface PresenceFilter {
  /** Undefined for every agent. */
  readonly agentIds: readonly string[] | undefined
  readonly project: string | undefined
  readonly seenAfter: string
  readonly limit: number
}

/** The last seen first. */
export function listPresence(db: Db, filter: PresenceFilter): Promise<Presence[]> {
  const { agentIds, project, seenAfter, limit } = filter
  let query = tables(db)
    .selectFrom('sessionPresence')
    .selectAll()
    .where('lastSeenAt', '>', seenAfter)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('key')
    .limit(limit)
  if (agentIds) query = query.where('agentId', 'in', agentIds)
  if (project !== undefined) query = query.where('project', '=', project)
  return query.execute()
}

/** Sessions last seen at or before this time, the oldest first. */
export function listSilent(db: Db, lastSeenBy: string, limit: number): Promise<Presence[]> {
  return tables(db)
    .selectFrom('sessionPresence')
    .selectAll()
    .where('lastSeenAt', '<=', lastSeenBy)
    .orderBy('lastSeenAt')
    .limit(limit)
    .execute()
}

/** False for an unknown presence. */
export async function deletePresence(
  db: Db,
  { agentId, key }: Pick<Presence, 'agentId' | 'key'>,
): Promise<boolean> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('sessionPresence')
    .where('agentId', '=', agentId)
    .where('key', '=', key)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function touchPresence(db: Db, id: SessionId, lastSeenAt: string): Promise<void> {
  await tables(db)
    .updateTable('sessionPresence')
    .set({ lastSeenAt })
    .where('agentId', '=', id.agentId)
    .where('key', '=', `session:${id.sessionKey}`)
    .execute()
}

/** The last activity of each harness, from the stored rows of its sessions. */
export async function listHarnessesSeen(db: Db): Promise<ReadonlyMap<string, string>> {
  const present = tables(db)
    .selectFrom('sessionPresence')
    .select(({ fn }) => ['harness', fn.max('lastSeenAt').as('at')])
    .groupBy('harness')
  const ended = tables(db)
    .selectFrom('sessionScores')
    .select(({ fn }) => ['harness', fn.max('createdAt').as('at')])
    .groupBy('harness')
  const rows = await present.unionAll(ended).orderBy('at').execute()
  return new Map(rows.map(({ harness, at }) => [harness, at]))
}

export interface IdlePage {
  /** ISO. */
  readonly endedBefore: string
  /** The last name of the previous page. */
  readonly after: string
  readonly limit: number
}

/** Agents without a live or present session and the end of their last one, ordered by name. */
export async function listIdle(
  db: Db,
  {
    endedBefore,
    after,
    limit,
    now,
    seenAfter,
  }: IdlePage & { readonly now: string; readonly seenAfter: string },
): Promise<{ readonly agentId: string; readonly endedAt: string }[]> {
  return tables(db)
    .selectFrom('sessionScores')
    .select(({ fn }) => ['agentId', fn.max('createdAt').as('endedAt')])
    .where('agentId', '>', after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessionClaims')
            .select('agentId')
            .whereRef('sessionClaims.agentId', '=', 'sessionScores.agentId')
            .where('state', '=', 'active')
            .where('expiresAt', '>', now),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessionPresence')
            .select('agentId')
            .whereRef('sessionPresence.agentId', '=', 'sessionScores.agentId')
            .where('lastSeenAt', '>', seenAfter),
        ),
      ),
    )
    .groupBy('agentId')
    .having(({ fn }) => fn.max('createdAt'), '<=', endedBefore)
    .orderBy('agentId')
    .limit(limit)
    .execute()
}

/** The projects under which a session is stored; null for none. */
export async function listProjects(db: Db, { agentId, sessionKey }: SessionId) {
  const [projects, window] = await Promise.all([
    listProjectsOf(db, agentId, [
      { table: 'sessionClaims', column: 'sessionKey', key: sessionKey },
      { table: 'sessionPresence', column: 'key', key: `session:${sessionKey}` },
    ]),
    findWindow(db, { agentId, sessionKey }),
  ])
  return window ? [...projects, window.project] : projects
}
