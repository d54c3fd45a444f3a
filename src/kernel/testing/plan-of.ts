import { CompiledQuery, type Expression, type KyselyPlugin, type SqlBool, sql } from 'kysely'
import { type Db, engineOf } from '../db/database.ts'
import { transaction } from '../db/transaction.ts'

/** Whether `npm run test:all` runs: all rounds, and plans of PostgreSQL from large tables. */
export const isLong = process.env['SVC_TEST_ROUNDS'] === 'all'

/**
 * Rows of a large table on a server. In a short run the tables are smaller and the planner avoids
 * scans, so that a missing index is still found.
 */
export const rowsOnServer = isLong ? 100_000 : 20_000

/** Returns the steps of the query plan of the last query that `run` executes. */
export async function planOf(db: Db, run: (db: Db) => Promise<unknown>): Promise<string[]> {
  const lastQuery = (await recordExecuted(db, run)).at(-1)
  return lastQuery ? explain(db, lastQuery) : []
}

/** Returns the query plans of all queries that `run` executes, in order. */
export async function plansOf(db: Db, run: (db: Db) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = []
  for (const query of await recordExecuted(db, run)) plans.push(...(await explain(db, query)))
  return plans
}

/** The number of statements that `run` executes outside of batches. */
export async function countStatements(db: Db, run: (db: Db) => Promise<unknown>): Promise<number> {
  return (await recordExecuted(db, run)).length
}

async function explain(db: Db, { sql, parameters }: CompiledQuery): Promise<string[]> {
  const { statement, column } = explaining[engineOf(db)]
  const explainQuery = CompiledQuery.raw(`${statement} ${sql}`, [...parameters])
  const rows = await transaction(db, async (db) => {
    if (engineOf(db) === 'postgres' && !isLong)
      await runStatement(db, 'set local enable_seqscan = off')
    return (await db.withoutPlugins().executeQuery<Record<string, string>>(explainQuery)).rows
  })
  return rows.map((row) => (row[column] ?? '').replace(/^ *(-> *)?/, ''))
}

const explaining = {
  sqlite: { statement: 'explain query plan', column: 'detail' },
  postgres: { statement: 'explain (costs off)', column: 'QUERY PLAN' },
} as const

/** Runs raw SQL, for example to generate many rows in the database. */
/** A condition as a store receives it from another capability: the row of this id exists. */
export function hasRow(table: string) {
  return (column: Expression<string>) =>
    sql<SqlBool>`exists (select 1 from ${sql.table(table)} where id = ${column})`
}

export async function runStatement(db: Db, statement: string): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(statement))
}

/**
 * Vacuums and analyzes as a server does in the background. A full sample makes the plans
 * deterministic.
 */
export async function tidyServer(db: Db): Promise<void> {
  await runStatement(db, 'vacuum')
  await transaction(db, async (db) => {
    await runStatement(db, 'set local default_statistics_target = 1000')
    await runStatement(db, 'analyze')
  })
}

/** Returns the steps that scan a whole table. */
export function scansOf(plan: readonly string[]): readonly string[] {
  return plan.filter((step) => /^(SCAN (?!.*INDEX)|(Parallel )?Seq Scan)/.test(step))
}

const idle: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => result,
}

async function recordExecuted(db: Db, run: (db: Db) => Promise<unknown>): Promise<CompiledQuery[]> {
  const { recorded, executed } = createRecorder(db)
  await run(recorded)
  return executed
}

/** Records queries at execution, which includes queries that were compiled before. */
function createRecorder(db: Db): { readonly recorded: Db; readonly executed: CompiledQuery[] } {
  const executed: CompiledQuery[] = []
  // With a plugin it has its own executor.
  const recorded = db.withPlugin(idle)
  const executor = recorded.getExecutor()
  const executeQuery: typeof executor.executeQuery = executor.executeQuery.bind(executor)
  Object.assign(executor, {
    executeQuery: (query: CompiledQuery) => {
      executed.push(query)
      return executeQuery(query)
    },
  })
  return { recorded, executed }
}

/** A database for parts that hold it, and the plans of the queries that a later call runs in it. */
export function createPlanRecorder(db: Db) {
  const { recorded, executed } = createRecorder(db)
  return {
    db: recorded,
    plansOf: async (run: () => Promise<unknown>): Promise<ReadonlyMap<string, string[]>> => {
      executed.length = 0
      await run()
      const plans = new Map<string, string[]>()
      for (const query of [...executed]) plans.set(query.sql, await explain(db, query))
      return plans
    },
  }
}
