import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { type State, tables } from './rows.ts'

/** Any number will do, as long as every daemon takes the same. */
const indexLockKey = 7_306_018

/** One at a time writes what is searched, of all daemons, until the end of its transaction. */
export async function lockIndex(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${indexLockKey})`.execute(db)
}

export async function readState(db: Db): Promise<State> {
  return tables(db).selectFrom('memorySearchState').selectAll().executeTakeFirstOrThrow()
}

/** Sets what was seen, and adds to what is counted. */
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

/** All rows are read anew, by these rules; vectors stay. */
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
