import type { CompiledQuery, DatabaseConnection } from 'kysely'
import { DatabaseBusy, DatabaseLost } from '../database-error.ts'
import { sendTransaction, toCount } from './send.ts'

type Queries = readonly CompiledQuery[]

interface Writer {
  readonly queries: Queries
  resolve(counts: readonly number[]): void
  reject(reason: unknown): void
}

export interface GroupCommit {
  /** Gives how many rows each has affected, once they are committed. */
  write(queries: Queries): Promise<readonly number[]>
  waiting(): number
}

interface GroupCommitOptions {
  /** A connection for as long as the work takes. */
  readonly withConnection: (
    work: (connection: DatabaseConnection) => Promise<void>,
  ) => Promise<void>
  readonly maxQueued: number
}

/** So many writers share a commit at most: what one of them breaks is done again for each alone. */
const maxBatch = 64

/**
 * Writers whose first statements are the same would wait for one another at the server, each with a
 * connection, and for a commit each. They wait here instead, and those that meet are one transaction.
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
    // Whoever writes in the same turn is there by then.
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
    // What is lost may be done, and is not done again.
    if (writers.length > 1 && !(error instanceof DatabaseLost)) await writeEach(connection, writers)
    else for (const { reject } of writers) reject(error)
  }
}

async function writeEach(connection: DatabaseConnection, writers: readonly Writer[]) {
  for (const writer of writers) await writeAll(connection, [writer])
}
