import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { type ReservationRow, tables, type WindowRow } from './tables.ts'

export type WindowKey = Pick<WindowRow, 'budgetId' | 'window'>

export interface WindowState {
  readonly usedTokens: number
  readonly usedCostMicros: number
  readonly reservedTokens: number
  readonly reservedCostMicros: number
}

/** Creates the window if it is missing and locks it until the transaction ends. */
export async function lockWindow(db: Db, { budgetId, window }: WindowKey): Promise<WindowState> {
  const key = { budgetId, window }
  await tables(db)
    .insertInto('inferenceBudgetWindows')
    .values({ ...key, usedTokens: 0, usedCostMicros: 0 })
    .onConflict((conflict) => conflict.columns(['budgetId', 'window']).doNothing())
    .execute()
  // An update locks the row on both engines.
  const used = await addUse(db, key, { tokens: 0, costMicros: 0 })
  return { ...used, ...(await sumReservations(db, key)) }
}

interface Amount {
  readonly tokens: number
  readonly costMicros: number
}

export async function addUse(db: Db, key: WindowKey, { tokens, costMicros }: Amount) {
  return await tables(db)
    .updateTable('inferenceBudgetWindows')
    .set(({ eb }) => ({
      usedTokens: eb('usedTokens', '+', tokens),
      usedCostMicros: eb('usedCostMicros', '+', costMicros),
    }))
    .where('budgetId', '=', key.budgetId)
    .where('window', '=', key.window)
    .returning(['usedTokens', 'usedCostMicros'])
    .executeTakeFirstOrThrow()
}

async function sumReservations(db: Db, { budgetId, window }: WindowKey) {
  return await tables(db)
    .selectFrom('inferenceReservations')
    .select([
      sql<number>`coalesce(sum(tokens), 0)`.as('reservedTokens'),
      sql<number>`coalesce(sum(cost_micros), 0)`.as('reservedCostMicros'),
    ])
    .where('budgetId', '=', budgetId)
    .where('window', '=', window)
    .executeTakeFirstOrThrow()
    .then(({ reservedTokens, reservedCostMicros }) => ({
      reservedTokens: Number(reservedTokens),
      reservedCostMicros: Number(reservedCostMicros),
    }))
}

/** Empty windows have no row. */
export async function readWindow(db: Db, key: WindowKey): Promise<WindowState> {
  const used = await tables(db)
    .selectFrom('inferenceBudgetWindows')
    .select(['usedTokens', 'usedCostMicros'])
    .where('budgetId', '=', key.budgetId)
    .where('window', '=', key.window)
    .executeTakeFirst()
  return { usedTokens: 0, usedCostMicros: 0, ...used, ...(await sumReservations(db, key)) }
}

export async function insertReservation(db: Db, row: ReservationRow): Promise<void> {
  await tables(db).insertInto('inferenceReservations').values(row).execute()
}

/** Undefined if it has expired and counts as use already. */
export async function deleteReservation(
  db: Db,
  { id, budgetId }: Pick<ReservationRow, 'id' | 'budgetId'>,
): Promise<ReservationRow | undefined> {
  return await tables(db)
    .deleteFrom('inferenceReservations')
    .where('id', '=', id)
    .where('budgetId', '=', budgetId)
    .returningAll()
    .executeTakeFirst()
}

/** The expired reservations of a window count as use from now on. */
export async function deleteExpired(
  db: Db,
  { budgetId, window }: WindowKey,
  now: string,
): Promise<Amount> {
  const rows = await tables(db)
    .deleteFrom('inferenceReservations')
    .where('budgetId', '=', budgetId)
    .where('window', '=', window)
    .where('expiresAt', '<', now)
    .returning(['tokens', 'costMicros'])
    .execute()
  return {
    tokens: rows.reduce((sum, row) => sum + row.tokens, 0),
    costMicros: rows.reduce((sum, row) => sum + row.costMicros, 0),
  }
}

/** Days and months sort as text, a month before its days. */
export async function deleteWindowsBefore(db: Db, window: string): Promise<void> {
  for (const table of ['inferenceBudgetWindows', 'inferenceReservations'] as const)
    await tables(db).deleteFrom(table).where('window', '<', window).execute()
}
