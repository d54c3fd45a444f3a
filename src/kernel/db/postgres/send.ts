import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'

/** One way there and one back, however many: none waits for the answer to the one before it. */
export async function send(
  connection: DatabaseConnection,
  queries: readonly CompiledQuery[],
): Promise<readonly QueryResult<unknown>[]> {
  const results = await Promise.allSettled(queries.map((query) => connection.executeQuery(query)))
  // In a transaction those behind one that fails are refused for its sake.
  return results.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

export const begin = CompiledQuery.raw('begin')
const commit = CompiledQuery.raw('commit')

/** All of them or none. */
export async function sendTransaction(
  connection: DatabaseConnection,
  queries: readonly CompiledQuery[],
): Promise<readonly QueryResult<unknown>[]> {
  return (await send(connection, [begin, ...queries, commit])).slice(1, -1)
}

export function toCount({ numAffectedRows = 0n }: QueryResult<unknown>): number {
  return Number(numAffectedRows)
}
