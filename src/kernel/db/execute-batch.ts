import type { CompiledQuery, DatabaseConnection } from 'kysely'
import type { Db } from './database.ts'
import { transaction } from './transaction.ts'

/** A statement that gives no rows; a capability may hand one to another for its transaction. */
export interface Write {
  compile(): CompiledQuery
}

/** What a connection can do that sends without waiting for each answer. */
interface BatchConnection extends DatabaseConnection {
  executeBatch(queries: readonly CompiledQuery[]): Promise<readonly number[]>
}

/**
 * Writes none of which depends on the result of another, in their order: part of the transaction that
 * `db` is in, else one of their own. They are sent in one message, and such transactions share a commit:
 * on a server those do whose first statements are the same, so that one should be what all of them
 * lock. Gives the number of rows that each has affected.
 */
export async function executeBatch(db: Db, writes: readonly Write[]): Promise<readonly number[]> {
  const queries = writes.map((write) => write.compile())
  const counts = await db
    .getExecutor()
    .provideConnection(async (connection) =>
      isBatchConnection(connection) ? connection.executeBatch(queries) : undefined,
    )
  return counts ?? transaction(db, (inner) => writeEach(inner, queries))
}

async function writeEach(db: Db, queries: readonly CompiledQuery[]): Promise<number[]> {
  const counts: number[] = []
  for (const query of queries) {
    const { numAffectedRows = 0n } = await db.executeQuery(query)
    counts.push(Number(numAffectedRows))
  }
  return counts
}

function isBatchConnection(connection: DatabaseConnection): connection is BatchConnection {
  return 'executeBatch' in connection
}
