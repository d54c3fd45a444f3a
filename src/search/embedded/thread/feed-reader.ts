import type { MemoryRow } from '../../feed.ts'
import type { WordPieceTokens } from '../../tokens/token-similarity.ts'
import { hasContentHash } from '../columns/columns.ts'
import {
  createSearchIndex,
  isTextChanged,
  retainSpaces,
  type SearchIndex,
  upsertMemory,
  upsertVector,
} from '../index/search-index.ts'
import type { FeedConnection, ReadStart } from './feed-connection.ts'

/** Rows per page. Between two pages other queries are answered. */
const pageSize = 500
/** Revisions by which a restored index is compared with the database. */
const comparedRevisions = 100

export interface FeedReader {
  readonly index: () => SearchIndex
  /** Continues with another index of the same rows. */
  replace(index: SearchIndex): void
  /** Whether a read is in progress; the index is not consistent then and must not be searched. */
  isReading(): boolean
  /** Whether a commit changed these feeds since the last read. */
  isBehind(): Promise<boolean>
  /** Reads the next page; false at the end of the transaction. */
  readPage(): Promise<boolean>
  /** Drops vectors of removed models: no feed row reports them. */
  dropUnusedSpaces(): Promise<void>
}

interface FeedReaderOptions {
  /** The index restored from a snapshot. */
  readonly restored: SearchIndex | undefined
  /** Called when the restored index is discarded. */
  readonly onReset: () => void
  readonly tokenize: WordPieceTokens['tokenize']
}

/** Memories are read before vectors in one transaction, because a vector is matched with the current text. */
export async function openFeedReader(
  connection: FeedConnection,
  { restored, onReset, tokenize }: FeedReaderOptions,
): Promise<FeedReader> {
  const reset = () => {
    onReset()
    return createSearchIndex()
  }
  const state: State = {
    index: restored ?? createSearchIndex(),
    newest: (await connection.readNewest()) ?? noRevisions,
    start: undefined,
  }
  if (!restored || (await isOfOtherHistory(connection, state))) state.index = reset()

  const begin = async () => {
    const start = await connection.begin()
    // Purges before this revision are no longer reported.
    if (state.index.seen.memories < start.swept) state.index = reset()
    return start
  }
  const finish = async ({ memories, vectors }: ReadStart) => {
    await connection.end()
    state.start = undefined
    const { seen } = state.index
    seen.memories = Math.max(seen.memories, memories)
    seen.vectors = Math.max(seen.vectors, vectors)
  }
  return {
    index: () => state.index,
    replace: (index) => {
      state.index = index
    },
    dropUnusedSpaces: async () =>
      retainSpaces(state.index, new Set(await connection.readIdentities())),
    isReading: () => state.start !== undefined,
    isBehind: async () => {
      state.newest = (await connection.readNewest()) ?? state.newest
      const { newest, index } = state
      return newest.memories > index.seen.memories || newest.vectors > index.seen.vectors
    },
    readPage: async () => {
      try {
        state.start ??= await begin()
        const { index, start } = state
        if (await readMemories(connection, index, tokenize)) return true
        if (await readVectors(connection, index)) return true
        await finish(start)
        return false
      } catch (error) {
        // The next read continues after the last complete page.
        state.start = undefined
        await connection.end()
        throw error
      }
    },
  }
}

interface State {
  index: SearchIndex
  newest: SearchIndex['seen']
  start: ReadStart | undefined
}

const noRevisions = { memories: 0, vectors: 0 }

/** Applies a page as a whole: a failure leaves the index as it was. Returns whether there may be more rows. */
async function readMemories(
  connection: FeedConnection,
  index: SearchIndex,
  tokenize: WordPieceTokens['tokenize'],
): Promise<boolean> {
  const upTo = index.seen.vectors
  const rows = await connection.readMemories({ after: index.seen.memories, limit: pageSize })
  const changed = rows.filter((row) => isTextChanged(index, row)).map(({ id }) => id)
  // When an earlier text returns, its vectors are not reported again.
  const vectors = changed.length > 0 ? await connection.readVectorsOf(changed, upTo) : []
  for (const row of rows) upsertMemory(index, row, tokenize)
  for (const row of vectors) upsertVector(index, row)
  return rows.length === pageSize
}

/** Returns whether there may be more rows. */
async function readVectors(connection: FeedConnection, index: SearchIndex): Promise<boolean> {
  const rows = await connection.readVectors({ after: index.seen.vectors, limit: pageSize })
  for (const row of rows) upsertVector(index, row)
  return rows.length === pageSize
}

/** A database restored from a backup assigns the same revisions to other rows. */
async function isOfOtherHistory(
  connection: FeedConnection,
  { index, newest }: Pick<State, 'index' | 'newest'>,
): Promise<boolean> {
  const { memories, vectors } = index.seen
  if (memories > newest.memories || vectors > newest.vectors) return true
  const after = Math.max(0, memories - comparedRevisions)
  const rows = await connection.readMemories({ after, limit: comparedRevisions })
  return rows.some((row) => row.revision <= memories && !isIndexed(index, row))
}

function isIndexed({ ids, columns }: SearchIndex, row: MemoryRow): boolean {
  const slot = ids.slotOf(row.id)
  if (row.purged) return slot === undefined
  return slot !== undefined && hasContentHash(columns, slot, row.facts.contentHash)
}
