import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { type State, tables } from './rows.ts'

/** An arbitrary number that all daemons share. */
const indexLockKey = 7_306_018

/** Serializes index writers of all daemons until the end of the transaction. */
export async function lockIndex(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${indexLockKey})`.execute(db)
}

export async function readState(db: Db): Promise<State> {
  return tables(db).selectFrom('memorySearchState').selectAll().executeTakeFirstOrThrow()
}

/** Sets revisions and adds to counts. */
export async function updateState(
  db: Db,
  {
    seenMemory,
    seenVector,
    live = 0,
    held = 0,
  }: Partial<Pick<State, 'seenMemory' | 'seenVector' | 'live' | 'held'>>,
): Promise<void> {
  await tables(db)
    .updateTable('memorySearchState')
    .set((eb) => ({
      ...(seenMemory !== undefined && { seenMemory }),
      ...(seenVector !== undefined && { seenVector }),
      live: eb('live', '+', live),
      held: eb('held', '+', held),
    }))
    .execute()
}

/** Deletes all rows except vectors, to rebuild with this analyzer. */
export async function resetIndex(
  db: Db,
  { rules, swept }: Pick<State, 'rules' | 'swept'>,
): Promise<void> {
  for (const table of ['memorySearch', 'memorySearchTerms', 'memorySearchNames'] as const)
    await tables(db).deleteFrom(table).execute()
  await tables(db).updateTable('memorySearchFields').set({ texts: 0, length: 0 }).execute()
  const initial = { rules, swept, seenMemory: 0, live: 0 }
  await tables(db).updateTable('memorySearchState').set(initial).execute()
}
