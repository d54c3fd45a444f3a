import type { ThreadReader } from '../../../kernel/db/thread-reader.ts'
import { type MemoryRow, toMemoryRow, toVectorRow } from '../../feed.ts'
import type { WordPieceTokens } from '../../tokens/word-pieces.ts'
import type { SearchWorkerOptions } from '../embedded-engine.ts'
import {
  createSearchIndex,
  retainSpaces,
  type SearchIndex,
  upsertMemory,
  upsertVector,
} from '../index/search-index.ts'

/** As no version of the database is. */
const unknownVersion = -1

/** What is read at once, so that those who ask meanwhile are told to look elsewhere. */
const pageSize = 500

export interface FeedReader {
  readonly index: () => SearchIndex
  /** Goes on with another index of the same rows, from what that has seen. */
  replace(index: SearchIndex): void
  /** Whether something of these feeds was committed since the last row was read. */
  isBehind(): boolean
  /**
   * Reads the next page of what the index has not seen; false when it has seen all that there was
   * when the reading began. Until then the index is of no moment, and answers nobody.
   */
  readPage(): boolean
  /** Lets go of the vectors of identities that are gone: nothing tells of that. */
  dropUnusedSpaces(): void
}

interface FeedReaderOptions {
  /** What an earlier run has kept. */
  readonly restored: SearchIndex | undefined
  /** Nothing of what was kept is of use. */
  readonly onReset: () => void
  readonly tokenize: WordPieceTokens['tokenize']
}

type Feeds = Pick<SearchWorkerOptions, 'memoryFeed' | 'vectorFeed'>

/**
 * Memories are read before vectors, and both of one moment: whether a vector is of the words that are
 * there is known when it is read.
 */
export function createFeedReader(
  reader: ThreadReader,
  feeds: Feeds,
  { restored, onReset, tokenize }: FeedReaderOptions,
): FeedReader {
  const reset = () => {
    onReset()
    return createSearchIndex()
  }
  const pages = createPages(reader, feeds, tokenize)
  const current = restored && isAheadOfDatabase(reader, feeds, restored) ? undefined : restored
  const state = { index: current ?? reset(), version: unknownVersion, reading: false, swept: 0 }

  const begin = () => {
    const version = reader.version()
    reader.begin()
    state.swept = readRevision(reader, feeds.memoryFeed.sweptSql)
    // Of some that are gone nobody tells any more.
    if (state.index.seen.memories < state.swept) state.index = reset()
    state.version = version
    state.reading = true
  }
  const finish = () => {
    reader.end()
    state.reading = false
    const { seen } = state.index
    seen.memories = Math.max(seen.memories, state.swept)
  }
  /** Most of what is committed is of others, such as what was told to whom. */
  const hasChanges = () => {
    const version = reader.version()
    const { memories, vectors } = state.index.seen
    const isBehind =
      readRevision(reader, feeds.memoryFeed.newestSql) > memories ||
      readRevision(reader, feeds.vectorFeed.newestSql) > vectors
    if (!isBehind) state.version = version
    return isBehind
  }
  return {
    index: () => state.index,
    replace: (index) => {
      state.index = index
      state.version = unknownVersion
    },
    dropUnusedSpaces: () => {
      const identities = reader.all(feeds.vectorFeed.identitiesSql)
      retainSpaces(state.index, new Set(identities.map(({ identity }) => String(identity))))
    },
    isBehind: () => state.reading || (reader.version() !== state.version && hasChanges()),
    readPage: () => {
      if (!state.reading) begin()
      if (pages.readMemories(state.index) || pages.readVectors(state.index)) return true
      finish()
      return false
    },
  }
}

/** Each tells whether there may be more. */
function createPages(
  reader: ThreadReader,
  { memoryFeed, vectorFeed }: Feeds,
  tokenize: WordPieceTokens['tokenize'],
) {
  /** Words that come back find the vectors that they had, of which nothing tells anew. */
  const restoreVectors = (index: SearchIndex, { id }: MemoryRow) => {
    for (const row of reader.all(vectorFeed.ofMemorySql, [id, index.seen.vectors]))
      upsertVector(index, toVectorRow(row))
  }
  return {
    readMemories: (index: SearchIndex) => {
      const rows = reader.all(memoryFeed.sql, [index.seen.memories, pageSize])
      for (const row of rows.map(toMemoryRow))
        if (upsertMemory(index, row, tokenize)) restoreVectors(index, row)
      return rows.length === pageSize
    },
    readVectors: (index: SearchIndex) => {
      const rows = reader.all(vectorFeed.sql, [index.seen.vectors, pageSize])
      for (const row of rows) upsertVector(index, toVectorRow(row))
      return rows.length === pageSize
    },
  }
}

function readRevision(reader: ThreadReader, sql: string): number {
  return Number(reader.all(sql)[0]?.['revision'] ?? 0)
}

/** A database that was put back to an earlier state gives the same revisions to other rows. */
function isAheadOfDatabase(reader: ThreadReader, feeds: Feeds, { seen }: SearchIndex): boolean {
  const hasRevision = (feed: { readonly sql: string }, revision: number) =>
    revision === 0 || reader.all(feed.sql, [revision - 1, 1]).length > 0
  return !(
    hasRevision(feeds.memoryFeed, seen.memories) && hasRevision(feeds.vectorFeed, seen.vectors)
  )
}
