import type { Db } from '../../../kernel/db/database.ts'
import type { SessionId } from '../session.ts'
import type { Window } from '../window.ts'
import { type StartRow, tables } from './rows.ts'

/** The stored window, or the opened one. The row is locked until the end of the transaction. */
export async function lockWindow(
  db: Db,
  { agentId, sessionKey }: SessionId,
  window: Window,
): Promise<Window> {
  const { startedAt: updatedAt } = window
  const row = await tables(db)
    .insertInto('sessionWindows')
    .values({ agentId, sessionKey, content: JSON.stringify(window), updatedAt })
    .onConflict((conflict) =>
      conflict.columns(['agentId', 'sessionKey']).doUpdateSet({ updatedAt }),
    )
    .returning('content')
    .executeTakeFirstOrThrow()
  return JSON.parse(row.content)
}

/** A stored window does not change. */
export function insertWindowQuery(db: Db, { agentId, sessionKey }: SessionId, window: Window) {
  const { startedAt: updatedAt } = window
  return tables(db)
    .insertInto('sessionWindows')
    .values({ agentId, sessionKey, content: JSON.stringify(window), updatedAt })
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

type Start = Pick<StartRow, 'agentId' | 'sessionKey' | 'harness' | 'project'>

/** Whether this daemon sent the session its start context after a time. */
export async function findStart(
  db: Db,
  { agentId, sessionKey, harness, project }: Start,
  { daemonId, after }: { readonly daemonId: string; readonly after: string },
): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('sessionStarts')
    .select('startedAt')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .where('harness', '=', harness)
    .where('project', '=', project)
    .where('daemonId', '=', daemonId)
    .where('startedAt', '>', after)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether any daemon sent the session its start context after a time. */
export async function hasStartedAfter(
  db: Db,
  { agentId, sessionKey }: SessionId,
  after: string,
): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('sessionStarts')
    .select('startedAt')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .where('startedAt', '>', after)
    .executeTakeFirst()
  return row !== undefined
}

/** One of several concurrent starts wins. No row if this daemon has recorded a start since. */
export function upsertStartQuery(db: Db, start: StartRow, after: string) {
  const { daemonId, startedAt } = start
  return tables(db)
    .insertInto('sessionStarts')
    .values(start)
    .onConflict((conflict) =>
      conflict
        .columns(['agentId', 'sessionKey', 'harness', 'project'])
        .doUpdateSet({ daemonId, startedAt })
        .where(({ eb, or }) =>
          or([
            eb('sessionStarts.daemonId', '!=', daemonId),
            eb('sessionStarts.startedAt', '<=', after),
          ]),
        ),
    )
}

export async function deleteStarts(db: Db, { agentId, sessionKey }: SessionId): Promise<void> {
  await tables(db)
    .deleteFrom('sessionStarts')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .execute()
}

export async function deleteStartsBefore(db: Db, before: string): Promise<void> {
  await tables(db).deleteFrom('sessionStarts').where('startedAt', '<', before).execute()
}
