import type { CompiledQuery, DatabaseConnection } from 'kysely'
import type { Db } from './database.ts'
import { transaction } from './transaction.ts'

/** A statement without result rows. Capabilities pass such statements to each other for one transaction. */
export interface Write {
  compile(): CompiledQuery
}

/** A connection that sends statements without awaiting each answer. */
interface BatchConnection extends DatabaseConnection {
  executeBatch(queries: readonly CompiledQuery[]): Promise<readonly number[]>
}

/**
 * Runs independent writes in order, in the transaction of `db` or in a new one, sent in one message.
 * Concurrent batches share a commit; on PostgreSQL only batches with the same first statement, which
 * should take the common lock. Returns the number of rows that each statement affected.
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
