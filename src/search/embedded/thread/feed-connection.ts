import type { DeferredRows, DeferredSelect } from '../../../kernel/db/deferred-select.ts'
import type { ThreadReader } from '../../../kernel/db/thread-reader.ts'
import {
  type FileVectorFeed,
  type MemoryFeed,
  type MemoryRow,
  toMemoryRow,
  toVectorRow,
  type VectorRow,
} from '../../feed.ts'

/** A value, or a promise of it: a file is read at once, a server is not. */
type Awaitable<Value> = Value | Promise<Value>

/** The last revision of each feed. */
export interface Revisions {
  readonly memories: number
  readonly vectors: number
}

/** A consistent read contains all rows up to these revisions. */
export interface ReadStart extends Revisions {
  /** Purges up to this revision are not listed. */
  readonly swept: number
}

export interface RowsWithNewest {
  readonly newest: Revisions
  readonly selected: DeferredRows
}

export interface Page {
  readonly after: number
  readonly limit: number
}

/** Reads the feeds of one database for the thread that has the index. */
export interface FeedConnection {
  /** Identifies the database. */
  readIdentity(): Awaitable<string>
  /** The newest committed revisions; undefined if nothing was committed since the last call. */
  readNewest(): Awaitable<Revisions | undefined>
  /** Starts a consistent read, which `end` ends. */
  begin(): Awaitable<ReadStart>
  readMemories(page: Page): Awaitable<readonly MemoryRow[]>
  readVectors(page: Page): Awaitable<readonly VectorRow[]>
  /** Vectors of memories up to a revision, in revision order. */
  readVectorsOf(memoryIds: readonly string[], upTo: number): Awaitable<readonly VectorRow[]>
  /** Models that have vectors. */
  readIdentities(): Awaitable<readonly string[]>
  end(): Awaitable<void>
  /** Of a file. The list is not empty. */
  readDeferred?(select: DeferredSelect, list: readonly string[]): DeferredRows
  /** Of a server: reads the newest revisions and the rows of hits in one round trip. */
  readWithNewest?(select: DeferredSelect, list: readonly string[]): Promise<RowsWithNewest>
  close(): Awaitable<void>
}

export interface FileFeeds {
  readonly memoryFeed: MemoryFeed
  readonly vectorFeed: FileVectorFeed
}

export function createFileConnection(
  reader: ThreadReader,
  { memoryFeed, vectorFeed }: FileFeeds,
  identity: string,
): FeedConnection {
  let lastVersion: number | undefined
  const readRevision = (sql: string) => Number(reader.all(sql)[0]?.['revision'] ?? 0)
  return {
    readIdentity: () => identity,
    readNewest: () => {
      const version = reader.version()
      if (version === lastVersion) return undefined
      lastVersion = version
      return {
        memories: readRevision(memoryFeed.newestSql),
        vectors: readRevision(vectorFeed.newestSql),
      }
    },
    begin: () => {
      reader.begin()
      const swept = readRevision(memoryFeed.sweptSql)
      return { swept, memories: swept, vectors: 0 }
    },
    readMemories: ({ after, limit }) => reader.all(memoryFeed.sql, [after, limit]).map(toMemoryRow),
    readVectors: ({ after, limit }) => reader.all(vectorFeed.sql, [after, limit]).map(toVectorRow),
    readVectorsOf: (memoryIds, upTo) =>
      memoryIds.flatMap((id) => reader.all(vectorFeed.ofMemorySql, [id, upTo]).map(toVectorRow)),
    readIdentities: () =>
      reader.all(vectorFeed.identitiesSql).map(({ identity }) => String(identity)),
    end: reader.end,
    readDeferred: reader.readDeferred,
    close: reader.close,
  }
}
