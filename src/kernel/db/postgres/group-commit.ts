import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import { DatabaseBusy, DatabaseLost } from '../database-error.ts'

type Queries = readonly CompiledQuery[]

interface Writer {
  readonly queries: Queries
  resolve(counts: readonly number[]): void
  reject(reason: unknown): void
}

export interface GroupCommit {
  /** Resolves after the commit with the number of rows that each statement affected. */
  write(queries: Queries): Promise<readonly number[]>
  waiting(): number
}

interface GroupCommitOptions {
  /** Lends a connection for the duration of the work. */
  readonly withConnection: (
    work: (connection: DatabaseConnection) => Promise<void>,
  ) => Promise<void>
  readonly maxQueued: number
}

/** Maximum number of writers per commit. If one fails, each is repeated alone. */
const maxBatch = 64

/**
 * Group commit: concurrent writers with the same first statement would block each other on the server.
 * They queue here instead, and all queued writers share one transaction.
 */
export function createGroupCommit({
  withConnection: connected,
  maxQueued,
}: GroupCommitOptions): GroupCommit {
  const queues = new Map<string, Writer[]>()
  let waiting = 0

  const drain = async (first: string, queue: Writer[]) => {
    for (let batch = dequeue(queue); batch.length > 0; batch = dequeue(queue)) {
      waiting -= batch.length
      await connected((connection) => writeAll(connection, batch)).catch((error) => {
        for (const { reject } of batch) reject(error)
      })
    }
    queues.delete(first)
  }
  const createQueue = (first: string) => {
    const queue: Writer[] = []
    queues.set(first, queue)
    // Writers of the same turn of the event loop join.
    queueMicrotask(() => void drain(first, queue))
    return queue
  }
  return {
    write: (queries) => {
      if (waiting >= maxQueued)
        throw new DatabaseBusy(`${waiting} writers are waiting already.`, 'QUEUE_FULL')
      const { promise, ...settle } = Promise.withResolvers<readonly number[]>()
      const first = queries[0]?.sql ?? ''
      const queue = queues.get(first) ?? createQueue(first)
      queue.push({ queries, ...settle })
      waiting += 1
      return promise
    },
    waiting: () => waiting,
  }
}

function dequeue(queue: Writer[]): Writer[] {
  return queue.splice(0, maxBatch)
}

async function writeAll(connection: DatabaseConnection, writers: readonly Writer[]): Promise<void> {
  const all = writers.flatMap(({ queries }) => queries)
  try {
    const counts = (await sendTransaction(connection, all)).map(toCount)
    for (const { queries, resolve } of writers) resolve(counts.splice(0, queries.length))
  } catch (error) {
    // A lost write may have been applied, so it is not repeated.
    if (writers.length > 1 && !(error instanceof DatabaseLost)) await writeEach(connection, writers)
    else for (const { reject } of writers) reject(error)
  }
}

async function writeEach(connection: DatabaseConnection, writers: readonly Writer[]) {
  for (const writer of writers) await writeAll(connection, [writer])
}

/** Pipelines the queries: one round trip for all. */
export async function send(
  connection: DatabaseConnection,
  queries: readonly CompiledQuery[],
): Promise<readonly QueryResult<unknown>[]> {
  const results = await Promise.allSettled(queries.map((query) => connection.executeQuery(query)))
  // In a transaction a failure makes the server reject all later statements.
  return results.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

export const begin = CompiledQuery.raw('begin')
const commit = CompiledQuery.raw('commit')

/** Runs the queries in one transaction. */
async function sendTransaction(
  connection: DatabaseConnection,
  queries: readonly CompiledQuery[],
): Promise<readonly QueryResult<unknown>[]> {
  return (await send(connection, [begin, ...queries, commit])).slice(1, -1)
}

export function toCount({ numAffectedRows = 0n }: QueryResult<unknown>): number {
  return Number(numAffectedRows)
}
