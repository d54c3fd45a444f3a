import { CompiledQuery } from 'kysely'
import type { Db } from '../db/database.ts'
import { recordQueries } from './record-queries.ts'

/** The query plan of the last query that `run` executes, step by step. */
export async function planOf(db: Db, run: (db: Db) => Promise<unknown>): Promise<string[]> {
  const whole = (await recordQueries(db, run)).at(-1)
  if (!whole) return []
  const asked = CompiledQuery.raw(`explain query plan ${whole.sql}`, [...whole.parameters])
  const { rows } = await db.withoutPlugins().executeQuery<{ detail: string }>(asked)
  return rows.map(({ detail }) => detail)
}

/** The steps that read all of a table. */
export function scansOf(plan: readonly string[]): readonly string[] {
  return plan.filter((step) => /^SCAN (?!.*INDEX)/.test(step))
}
