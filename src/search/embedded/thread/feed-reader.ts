import type { ThreadReader } from '../../../kernel/db/thread-reader.ts'
import { type MemoryRow, toMemoryRow, toVectorRow } from '../../feed.ts'
import type { WordPieceTokens } from '../../tokens/word-pieces.ts'
import type { SearchThreadOptions } from '../embedded-engine.ts'
import {
  createSearchIndex,
  retainSpaces,
  type SearchIndex,
  upsertMemory,
  upsertVector,
} from '../index/search-index.ts'

/** As no version of the database is. */
const unknown = -1

/** What is read at once, so that those who ask meanwhile are told to look elsewhere. */
const page = 500

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
  keepPresentSpaces(): void
}

interface Knowledge {
  /** What an earlier run has kept. */
  readonly known: SearchIndex | undefined
  /** Nothing of what was kept is of use. */
  readonly onBegunAnew: () => void
  readonly readPieces: WordPieceTokens['tokenize']
}

type Feeds = Pick<SearchThreadOptions, 'memoryFeed' | 'vectorFeed'>

/**
 * Memories are read before vectors, and both of one moment: whether a vector is of the words that are
 * there is known when it is read.
 */
export function createFeedReader(
  reader: ThreadReader,
  feeds: Feeds,
  { known, onBegunAnew, readPieces }: Knowledge,
): FeedReader {
  const beginAnew = () => {
    onBegunAnew()
    return createSearchIndex()
  }
  const pages = createPages(reader, feeds, readPieces)
  const begun = known && isAhead(reader, feeds, known) ? undefined : known
  const state = { index: begun ?? beginAnew(), version: unknown, reading: false, swept: 0 }

  const begin = () => {
    const version = reader.version()
    reader.begin()
    state.swept = readRevision(reader, feeds.memoryFeed.sweptSql)
    // Of some that are gone nobody tells any more.
    if (state.index.seen.memories < state.swept) state.index = beginAnew()
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
  const hasNews = () => {
    const version = reader.version()
    const { memories, vectors } = state.index.seen
    const isNew =
      readRevision(reader, feeds.memoryFeed.newestSql) > memories ||
      readRevision(reader, feeds.vectorFeed.newestSql) > vectors
    if (!isNew) state.version = version
    return isNew
  }
  return {
    index: () => state.index,
    replace: (index) => {
      state.index = index
      state.version = unknown
    },
    keepPresentSpaces: () => {
      const present = reader.all(feeds.vectorFeed.identitiesSql)
      retainSpaces(state.index, new Set(present.map(({ identity }) => String(identity))))
    },
    isBehind: () => state.reading || (reader.version() !== state.version && hasNews()),
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
  readPieces: WordPieceTokens['tokenize'],
) {
  /** Words that come back find the vectors that they had, of which nothing tells anew. */
  const putVectorsOf = (index: SearchIndex, { id }: MemoryRow) => {
    for (const row of reader.all(vectorFeed.ofMemorySql, [id, index.seen.vectors]))
      upsertVector(index, toVectorRow(row))
  }
  return {
    readMemories: (index: SearchIndex) => {
      const rows = reader.all(memoryFeed.sql, [index.seen.memories, page])
      for (const row of rows.map(toMemoryRow))
        if (upsertMemory(index, row, readPieces)) putVectorsOf(index, row)
      return rows.length === page
    },
    readVectors: (index: SearchIndex) => {
      const rows = reader.all(vectorFeed.sql, [index.seen.vectors, page])
      for (const row of rows) upsertVector(index, toVectorRow(row))
      return rows.length === page
    },
  }
}

function readRevision(reader: ThreadReader, sql: string): number {
  return Number(reader.all(sql)[0]?.['revision'] ?? 0)
}

/** A database that was put back to an earlier state gives the same revisions to other rows. */
function isAhead(reader: ThreadReader, feeds: Feeds, { seen }: SearchIndex): boolean {
  const goesOn = (feed: { readonly sql: string }, revision: number) =>
    revision === 0 || reader.all(feed.sql, [revision - 1, 1]).length > 0
  return !(goesOn(feeds.memoryFeed, seen.memories) && goesOn(feeds.vectorFeed, seen.vectors))
}
