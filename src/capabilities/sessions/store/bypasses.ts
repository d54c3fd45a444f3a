import type { Db } from '../../../kernel/db/database.ts'
import type { SessionId } from '../session.ts'
import { tables } from './rows.ts'

type Bypass = SessionId & { readonly expiresAt: string }

export async function upsertBypass(db: Db, bypass: Bypass): Promise<void> {
  const { expiresAt } = bypass
  await tables(db)
    .insertInto('sessionBypasses')
    .values(bypass)
    .onConflict((conflict) =>
      conflict.columns(['agentId', 'sessionKey']).doUpdateSet({ expiresAt }),
    )
    .execute()
}

/** A missing bypass is not created. */
export function renewBypassQuery(db: Db, { agentId, sessionKey, expiresAt }: Bypass) {
  return tables(db)
    .updateTable('sessionBypasses')
    .set({ expiresAt })
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
}

export async function deleteBypass(db: Db, { agentId, sessionKey }: SessionId): Promise<void> {
  await tables(db)
    .deleteFrom('sessionBypasses')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .execute()
}

/** The keys of an agent's bypassed sessions. */
export async function listBypassed(
  db: Db,
  {
    agentId,
    now,
    limit,
  }: { readonly agentId: string; readonly now: string; readonly limit: number },
): Promise<ReadonlySet<string>> {
  const rows = await tables(db)
    .selectFrom('sessionBypasses')
    .select('sessionKey')
    .where('agentId', '=', agentId)
    .where('expiresAt', '>', now)
    .limit(limit)
    .execute()
  return new Set(rows.map(({ sessionKey }) => sessionKey))
}

export async function isBypassed(db: Db, { agentId, sessionKey }: SessionId, now: string) {
  const row = await tables(db)
    .selectFrom('sessionBypasses')
    .select('sessionKey')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** A mark outlives the session, so that its texts are never read as evidence. */
export async function setBypassMark(
  db: Db,
  { agentId, sessionKey, isMarked }: SessionId & { readonly isMarked: boolean },
): Promise<void> {
  const id = { agentId, sessionKey }
  if (isMarked)
    await tables(db)
      .insertInto('sessionBypassMarks')
      .values(id)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else
    await tables(db)
      .deleteFrom('sessionBypassMarks')
      .where('agentId', '=', agentId)
      .where('sessionKey', '=', sessionKey)
      .execute()
}

export async function hasBypassMark(db: Db, { agentId, sessionKey }: SessionId): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('sessionBypassMarks')
    .select('sessionKey')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .executeTakeFirst()
  return row !== undefined
}

export async function countBypassed(db: Db, now: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('sessionBypasses')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function deleteExpiredBypasses(db: Db, now: string): Promise<void> {
  await tables(db).deleteFrom('sessionBypasses').where('expiresAt', '<=', now).execute()
}
