import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely'
import type { Db } from '../db/database.ts'

/** How SQLite goes about the last query of what is run, step by step. */
export async function planOf(db: Db, run: (db: Db) => Promise<unknown>): Promise<string[]> {
  const nodes: RootOperationNode[] = []
  const recorder: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await run(db.withPlugin(recorder))
  const bare = db.withoutPlugins()
  // A query within a query is met before the whole of it.
  const whole = nodes.at(-1)
  if (!whole) return []
  const { sql: text, parameters } = bare.getExecutor().compileQuery(whole, createQueryId())
  const asked = CompiledQuery.raw(`explain query plan ${text}`, [...parameters])
  const { rows } = await bare.executeQuery<{ detail: string }>(asked)
  return rows.map(({ detail }) => detail)
}

/** The steps that read all of a table. */
export function scansOf(plan: readonly string[]): readonly string[] {
  return plan.filter((step) => /^SCAN (?!.*INDEX)/.test(step))
}
