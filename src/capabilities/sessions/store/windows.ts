import type { Db } from '../../../kernel/db/database.ts'
import type { SessionId } from '../session.ts'
import type { Window } from '../window.ts'
import { tables } from './rows.ts'

/** The window that is there, else this one; kept from others until the end of the transaction. */
export async function lockWindow(
  db: Db,
  { agentId, sessionKey }: SessionId,
  opened: Window,
): Promise<Window> {
  const { startedAt: updatedAt } = opened
  const row = await tables(db)
    .insertInto('sessionWindows')
    .values({ agentId, sessionKey, content: JSON.stringify(opened), updatedAt })
    .onConflict((conflict) =>
      conflict.columns(['agentId', 'sessionKey']).doUpdateSet({ updatedAt }),
    )
    .returning('content')
    .executeTakeFirstOrThrow()
  return JSON.parse(row.content)
}

/** The one that is there stays. */
export function insertWindowQuery(db: Db, { agentId, sessionKey }: SessionId, opened: Window) {
  const { startedAt: updatedAt } = opened
  return tables(db)
    .insertInto('sessionWindows')
    .values({ agentId, sessionKey, content: JSON.stringify(opened), updatedAt })
    .onConflict((conflict) => conflict.doNothing())
}

export async function findWindow(
  db: Db,
  { agentId, sessionKey }: SessionId,
): Promise<Window | undefined> {
  const row = await tables(db)
    .selectFrom('sessionWindows')
    .select('content')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .executeTakeFirst()
  return row && JSON.parse(row.content)
}

export async function updateWindow(
  db: Db,
  { agentId, sessionKey }: SessionId,
  window: Window,
): Promise<void> {
  await tables(db)
    .updateTable('sessionWindows')
    .set({ content: JSON.stringify(window) })
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .execute()
}

export async function deleteWindow(db: Db, { agentId, sessionKey }: SessionId): Promise<void> {
  await tables(db)
    .deleteFrom('sessionWindows')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .execute()
}

export async function deleteWindowsBefore(db: Db, before: string): Promise<void> {
  await tables(db).deleteFrom('sessionWindows').where('updatedAt', '<', before).execute()
}
