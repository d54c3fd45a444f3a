import type { CompiledQuery, DatabaseConnection } from 'kysely'
import { DatabaseBusy, DatabaseLost } from '../database-error.ts'
import { sendAsOne, toCount } from './send.ts'

type Queries = readonly CompiledQuery[]

interface Writer {
  readonly queries: Queries
  resolve(counts: readonly number[]): void
  reject(reason: unknown): void
}

export interface SharedCommits {
  /** Gives how many rows each has affected, once they are committed. */
  write(queries: Queries): Promise<readonly number[]>
  waiting(): number
}

interface Needs {
  /** A connection for as long as the work takes. */
  readonly connected: (work: (connection: DatabaseConnection) => Promise<void>) => Promise<void>
  readonly waitingAtMost: number
}

/** So many writers share a commit at most: what one of them breaks is done again for each alone. */
const mostTogether = 64

/**
 * Writers whose first statements are the same would wait for one another at the server, each with a
 * connection, and for a commit each. They wait here instead, and those that meet are one transaction.
 */
export function createSharedCommits({ connected, waitingAtMost }: Needs): SharedCommits {
  const lines = new Map<string, Writer[]>()
  let waiting = 0

  const serve = async (first: string, line: Writer[]) => {
    for (let next = take(line); next.length > 0; next = take(line)) {
      waiting -= next.length
      await connected((connection) => writeAll(connection, next)).catch((error) => {
        for (const { reject } of next) reject(error)
      })
    }
    lines.delete(first)
  }
  const begin = (first: string) => {
    const line: Writer[] = []
    lines.set(first, line)
    // Whoever writes in the same turn is there by then.
    queueMicrotask(() => void serve(first, line))
    return line
  }
  return {
    write: (queries) => {
      if (waiting >= waitingAtMost)
        throw new DatabaseBusy(`${waiting} writers are waiting already.`, 'QUEUE_FULL')
      const { promise, ...settle } = Promise.withResolvers<readonly number[]>()
      const first = queries[0]?.sql ?? ''
      const line = lines.get(first) ?? begin(first)
      line.push({ queries, ...settle })
      waiting += 1
      return promise
    },
    waiting: () => waiting,
  }
}

function take(line: Writer[]): Writer[] {
  return line.splice(0, mostTogether)
}

async function writeAll(connection: DatabaseConnection, writers: readonly Writer[]): Promise<void> {
  const all = writers.flatMap(({ queries }) => queries)
  try {
    const counts = (await sendAsOne(connection, all)).map(toCount)
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
