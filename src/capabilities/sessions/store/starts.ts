import type { Db } from '../../../kernel/db/database.ts'
import type { SessionId } from '../session.ts'
import { type StartRow, tables } from './rows.ts'

type Start = Pick<StartRow, 'agentId' | 'sessionKey' | 'harness' | 'project'>

/** Whether the session was told its beginning, by this daemon and since then. */
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

/** Whether the session was told its beginning after that. */
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

/** Of those who begin at once one is told: no row where this daemon has told it since then. */
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
