import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { type ApiKey, maxLiveKeys } from '../keys/api-key.ts'

type Row = Omit<ApiKey, 'scope' | 'permissions' | 'allowedProjects'> & {
  readonly scope: string
  readonly permissions: string | null
  readonly allowedProjects: string | null
}

type Tables = { apiKeys: Row }
const tables = (db: Db) => db.withTables<Tables>()

/** Revoked keys that a list shows in addition to the live ones. */
const maxListedEnded = 1_000

export async function insertKey(db: Db, key: ApiKey): Promise<void> {
  await tables(db).insertInto('apiKeys').values(toRow(key)).execute()
}

export async function findKey(db: Db, id: string): Promise<ApiKey | undefined> {
  const row = await tables(db)
    .selectFrom('apiKeys')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toKey(row)
}

/** Neither revoked nor expired, newest first. */
export async function listLiveKeys(db: Db, now: string): Promise<ApiKey[]> {
  const rows = await tables(db)
    .selectFrom('apiKeys')
    .selectAll()
    .where((columns) => isLive(columns, now))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    // Two daemons that create keys at the same time may exceed the limit by one.
    .limit(maxLiveKeys + 10)
    .execute()
  return rows.map(toKey)
}

/** Revoked or expired, newest first. */
export async function listEndedKeys(db: Db, now: string): Promise<ApiKey[]> {
  const rows = await tables(db)
    .selectFrom('apiKeys')
    .selectAll()
    .where((columns) => columns.not(isLive(columns, now)))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(maxListedEnded)
    .execute()
  return rows.map(toKey)
}

export async function countLiveKeys(db: Db, now: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('apiKeys')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where((columns) => isLive(columns, now))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A second revocation changes nothing. */
export async function revokeKey(db: Db, id: string, revokedAt: string): Promise<void> {
  await tables(db)
    .updateTable('apiKeys')
    .set({ revokedAt })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .execute()
}

export async function revokeAgentKeys(db: Db, agentId: string, revokedAt: string): Promise<void> {
  await tables(db)
    .updateTable('apiKeys')
    .set({ revokedAt })
    .where('agentId', '=', agentId)
    .where('revokedAt', 'is', null)
    .execute()
}

export async function deleteAgentKeys(db: Db, agentId: string): Promise<void> {
  await tables(db).deleteFrom('apiKeys').where('agentId', '=', agentId).execute()
}

export async function updateLastUse(db: Db, id: string, lastUsedAt: string): Promise<void> {
  await tables(db).updateTable('apiKeys').set({ lastUsedAt }).where('id', '=', id).execute()
}

/** Deletes keys that ended before this time. */
export async function deleteEndedKeys(db: Db, before: string): Promise<void> {
  await tables(db)
    .deleteFrom('apiKeys')
    .where(({ eb, or }) => or([eb('revokedAt', '<', before), eb('expiresAt', '<', before)]))
    .execute()
}

function isLive({ and, eb, or }: ExpressionBuilder<Tables, 'apiKeys'>, now: string) {
  const endsLater: Expression<SqlBool> = or([
    eb('expiresAt', 'is', null),
    eb('expiresAt', '>', now),
  ])
  return and([eb('revokedAt', 'is', null), endsLater])
}

function toRow({ scope, permissions, allowedProjects, ...key }: ApiKey): Row {
  return {
    ...key,
    scope: JSON.stringify(scope),
    permissions: permissions && JSON.stringify(permissions),
    allowedProjects: allowedProjects && JSON.stringify(allowedProjects),
  }
}

function toKey({ scope, permissions, allowedProjects, ...row }: Row): ApiKey {
  return {
    ...row,
    scope: JSON.parse(scope),
    permissions: permissions === null ? null : JSON.parse(permissions),
    allowedProjects: allowedProjects === null ? null : JSON.parse(allowedProjects),
  }
}
