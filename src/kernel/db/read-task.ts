import type { DatabaseConnection } from 'kysely'
import type { Db } from './database.ts'

/** Several statements, of which later ones depend on the rows of earlier ones. */
export interface ReadTask<Input, Output> {
  /** The module whose `serve` runs the task in the thread of the database. */
  readonly module: URL
  read(db: Db, input: Input): Promise<Output>
}

/** A connection whose thread runs the statements of a task without messages between them. */
interface TaskConnection extends DatabaseConnection {
  runTask(module: URL, input: unknown): Promise<unknown>
}

/**
 * Runs the task in the thread that reads the file. On PostgreSQL and in a transaction, each of its
 * statements is sent.
 */
export async function runReadTask<Input, Output>(
  db: Db,
  task: ReadTask<Input, Output>,
  input: Input,
): Promise<Output> {
  const connects = db.getExecutor()
  const output = db.isTransaction
    ? undefined
    : await connects.provideConnection(async (connection) =>
        isTaskConnection(connection)
          ? { value: await connection.runTask(task.module, input) }
          : undefined,
      )
  return output ? (output.value as Output) : task.read(db, input)
}

function isTaskConnection(connection: DatabaseConnection): connection is TaskConnection {
  return 'runTask' in connection
}
