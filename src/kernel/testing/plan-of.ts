import { CompiledQuery, type KyselyPlugin } from 'kysely'
import { type Db, engineOf } from '../db/database.ts'
import { transaction } from '../db/transaction.ts'

/** The query plan of the last query that `run` executes, step by step. */
export async function planOf(db: Db, run: (db: Db) => Promise<unknown>): Promise<string[]> {
  const whole = (await recordExecuted(db, run)).at(-1)
  return whole ? explain(db, whole) : []
}

/** The query plans of all that it executes, one after the other. */
export async function plansOf(db: Db, run: (db: Db) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = []
  for (const query of await recordExecuted(db, run)) plans.push(...(await explain(db, query)))
  return plans
}

async function explain(db: Db, { sql, parameters }: CompiledQuery): Promise<string[]> {
  const { statement, column } = explaining[engineOf(db)]
  const asking = CompiledQuery.raw(`${statement} ${sql}`, [...parameters])
  const { rows } = await db.withoutPlugins().executeQuery<Record<string, string>>(asking)
  return rows.map((row) => (row[column] ?? '').replace(/^ *(-> *)?/, ''))
}

const explaining = {
  sqlite: { statement: 'explain query plan', column: 'detail' },
  postgres: { statement: 'explain (costs off)', column: 'QUERY PLAN' },
} as const

/** For many rows, which the database itself makes. */
export async function runStatement(db: Db, statement: string): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(statement))
}

/** As a server does by and by; of all rows, not of some that it picks, so that plans are always the same. */
export async function tidyServer(db: Db): Promise<void> {
  await runStatement(db, 'vacuum')
  await transaction(db, async (db) => {
    await runStatement(db, 'set local default_statistics_target = 1000')
    await runStatement(db, 'analyze')
  })
}

/** The steps that read all of a table. */
export function scansOf(plan: readonly string[]): readonly string[] {
  return plan.filter((step) => /^(SCAN (?!.*INDEX)|(Parallel )?Seq Scan)/.test(step))
}

const idle: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => result,
}

/** As they are executed, so that those are among them that were compiled before. */
async function recordExecuted(db: Db, run: (db: Db) => Promise<unknown>): Promise<CompiledQuery[]> {
  const executed: CompiledQuery[] = []
  // With a plugin it has an executor of its own.
  const recorded = db.withPlugin(idle)
  const executor = recorded.getExecutor()
  const executeQuery: typeof executor.executeQuery = executor.executeQuery.bind(executor)
  Object.assign(executor, {
    executeQuery: (query: CompiledQuery) => {
      executed.push(query)
      return executeQuery(query)
    },
  })
  await run(recorded)
  return executed
}
