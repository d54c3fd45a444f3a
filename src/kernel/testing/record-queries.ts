import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely'
import type { Db } from '../db/database.ts'

/** Records the SQL of the executed queries. A subquery comes before the query that contains it. */
export async function recordQueries(
  db: Db,
  run: (db: Db) => Promise<unknown>,
): Promise<CompiledQuery[]> {
  const nodes: RootOperationNode[] = []
  const recorder: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await run(db.withPlugin(recorder))
  const compiler = db.withoutPlugins().getExecutor()
  return nodes.map((node) => {
    const { sql, parameters } = compiler.compileQuery(node, createQueryId())
    return CompiledQuery.raw(sql, [...parameters])
  })
}
