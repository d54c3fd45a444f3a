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

/** No database has this version. */
const unknownVersion = -1

/** Rows per page. Between two pages other queries are answered. */
const pageSize = 500

export interface FeedReader {
  readonly index: () => SearchIndex
  /** Continues with another index of the same rows. */
  replace(index: SearchIndex): void
  /** Whether a commit changed these feeds since the last read. */
  isBehind(): boolean
  /**
   * Reads the next page; false at the end of the transaction. In between, the index is not
   * consistent and must not be searched.
   */
  readPage(): boolean
  /** Drops vectors of removed models: no feed row reports them. */
  dropUnusedSpaces(): void
}

interface FeedReaderOptions {
  /** The index restored from a snapshot. */
  readonly restored: SearchIndex | undefined
  /** Called when the restored index is discarded. */
  readonly onReset: () => void
  readonly tokenize: WordPieceTokens['tokenize']
}

type Feeds = Pick<SearchWorkerOptions, 'memoryFeed' | 'vectorFeed'>

/** Memories are read before vectors in one transaction, because a vector is matched with the current text. */
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
    // Purges before this revision are no longer reported.
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
  /** Most commits change other tables. */
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

/** Each returns whether there may be more rows. */
function createPages(
  reader: ThreadReader,
  { memoryFeed, vectorFeed }: Feeds,
  tokenize: WordPieceTokens['tokenize'],
) {
  /** When an earlier text returns, its vectors are not reported again. */
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

/** A database restored from a backup assigns the same revisions to other rows. */
function isAheadOfDatabase(reader: ThreadReader, feeds: Feeds, { seen }: SearchIndex): boolean {
  const hasRevision = (feed: { readonly sql: string }, revision: number) =>
    revision === 0 || reader.all(feed.sql, [revision - 1, 1]).length > 0
  return !(
    hasRevision(feeds.memoryFeed, seen.memories) && hasRevision(feeds.vectorFeed, seen.vectors)
  )
}
