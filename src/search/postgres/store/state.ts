import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
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

/**
 * Empties tables that no daemon keeps up to date: their texts would outlive purged memories. Does
 * nothing if a daemon has changed them since the state was read.
 */
export async function emptyTables(db: Db, { rules, seenMemory }: State): Promise<boolean> {
  return transaction(db, async (db) => {
    await lockIndex(db)
    const state = await readState(db)
    if (state.rules !== rules || state.seenMemory !== seenMemory) return false
    await sql`truncate memory_search, memory_search_terms, memory_search_names`.execute(db)
    await sql`drop table if exists memory_search_vectors`.execute(db)
    await tables(db).updateTable('memorySearchFields').set({ texts: 0, length: 0 }).execute()
    const initial = { rules: 0, swept: 0, seenMemory: 0, seenVector: 0, live: 0, held: 0 }
    await tables(db).updateTable('memorySearchState').set(initial).execute()
    return true
  })
}
