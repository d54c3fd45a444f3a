import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { DatabaseError } from '../../../kernel/db/database-error.ts'
import type { Host } from '../../../kernel/host/host.ts'
import type { ModelParts } from '../../../static-model/index.ts'
import {
  type EngineAnswer,
  type EngineQuery,
  EngineUnavailable,
  type SearchEngine,
} from '../../engine.ts'
import { type EngineListeners, startCatchUpLoop } from '../../thread/catch-up-loop.ts'
import { createWordPieces, type WordPieceTokens } from '../../tokens/token-similarity.ts'
import { countRows, countVectors, type SearchIndex } from '../index/search-index.ts'
import { findSimilar, type SearchContext, search } from '../search.ts'
import {
  readSnapshot,
  removeSnapshot,
  removeTemporaryFiles,
  sourceOf,
} from '../snapshot/snapshot-file.ts'
import { createScanHelper } from '../vectors/helper/scan-helper.ts'
import type { FeedConnection } from './feed-connection.ts'
import { type FeedReader, openFeedReader } from './feed-reader.ts'
import { createSnapshotScheduler, type SnapshotScheduler } from './snapshot-scheduler.ts'

export interface IndexEngineNeeds extends EngineListeners {
  readonly host: Host
  readonly connection: FeedConnection
  readonly snapshotFile: string
  /** Rows to read before the first snapshot is written. */
  readonly snapshotAfter?: number | undefined
  /** In shared memory. */
  readonly model: ModelParts
}

/** 50,000 rows: further behind, a search is answered as `index_building`. */
const maxPages = 100

/** The in-memory index of a database, in the calling thread. */
export function createIndexEngine(needs: IndexEngineNeeds): SearchEngine {
  const { host, connection, model, onWarning } = needs
  const clock = () => host.now().getTime()
  const helper = availableParallelism() > 1 ? createScanHelper({ onWarning }) : undefined
  const wordPieces = createWordPieces(model)
  const context: SearchContext = { clock, wordPieces, helper }
  const inTurn = createTurns()
  const state: State = { changes: 0, readChanges: -1 }

  const loop = startCatchUpLoop({
    ...needs,
    catchUp: async (signal) => {
      const { changes } = state
      state.open ??= await openIndex(needs, wordPieces, () => loop.changed())
      const index = await readAll(state.open, { inTurn, signal })
      if (!signal.aborted) Object.assign(state, { isBuilt: true, readChanges: changes })
      const counts = { rows: countRows(index), vectors: countVectors(index) }
      return { state: 'ready', ...counts, revision: index.seen.memories }
    },
    // The index may be inconsistent after any other error.
    isFatal: (error) => !(error instanceof DatabaseError),
  })
  const withIndex = createSharedCatchUp(inTurn, async () => {
    const isCurrent = state.isBuilt && state.open && (await catchUp(state.open.feed))
    return isCurrent ? state.open?.feed.index() : undefined
  })
  const run = (work: (index: SearchIndex) => EngineAnswer | undefined) => {
    if (state.isClosed) throw new EngineUnavailable('The search engine is closed.')
    const from = clock()
    return withIndex((index): EngineAnswer | undefined => {
      if (!index) return { candidates: [], degraded: 'index_building', timings: [] }
      const caughtUp = { name: 'catch up', durationMs: clock() - from }
      const answer = work(index)
      return answer && { ...answer, timings: [caughtUp, ...answer.timings] }
    })
  }
  return {
    changed: () => {
      state.changes += 1
      loop.changed()
    },
    search: async (query) => {
      const answer =
        (await searchAhead({ connection, state, context }, query)) ??
        (await run((index) =>
          readHits(connection, query, { ...search(index, query, context), clock }),
        ))
      return answer ?? { candidates: [], timings: [] }
    },
    similar: async (query) =>
      run((index) => {
        const candidates = findSimilar(index, query)
        return candidates && { candidates, timings: [] }
      }),
    health: loop.health,
    close: async () => {
      state.isClosed = true
      await loop.close()
      if (state.open) await closeIndex(state.open, { inTurn, onWarning })
      await connection.close()
    },
  }
}

/** Reads the rows of the hits in this thread, to avoid waking another one. */
function readHits(
  connection: FeedConnection,
  { select }: EngineQuery,
  { clock, ...result }: EngineAnswer & Pick<SearchContext, 'clock'>,
): EngineAnswer {
  if (!select || !connection.readDeferred) return result
  const from = clock()
  const ids = result.candidates.map(({ id }) => id)
  const selected = ids.length > 0 ? connection.readDeferred(select, ids) : { columns: [], rows: [] }
  const hydrated = { name: 'hydrate', durationMs: clock() - from }
  return { ...result, selected, timings: [...result.timings, hydrated] }
}

interface State {
  open?: OpenIndex
  isBuilt?: true
  isClosed?: true
  /** How many changes were reported, and how many of them the index contains. */
  changes: number
  readChanges: number
}

interface AheadNeeds extends Pick<IndexEngineNeeds, 'connection'> {
  readonly state: State
  readonly context: SearchContext
}

/**
 * Searches without a catch-up, and reads the newest revisions together with the rows of the hits: one
 * round trip to a server instead of two. Undefined if the index was or may have been behind.
 */
async function searchAhead(
  { connection, state, context: { clock, ...context } }: AheadNeeds,
  query: EngineQuery,
): Promise<EngineAnswer | undefined> {
  const { open, isBuilt, isClosed, changes, readChanges } = state
  if (!connection.readWithNewest || !query.select || !open || !isBuilt || isClosed) return undefined
  if (changes !== readChanges || open.feed.isReading()) return undefined
  const index = open.feed.index()
  const { memories, vectors } = index.seen
  const result = search(index, query, { clock, ...context })
  const from = clock()
  const ids = result.candidates.map(({ id }) => id)
  const { newest, selected } = await connection.readWithNewest(query.select, ids)
  if (newest.memories > memories || newest.vectors > vectors) return undefined
  const hydrated = { name: 'hydrate', durationMs: clock() - from }
  return { ...result, selected, timings: [...result.timings, hydrated] }
}

interface OpenIndex {
  readonly feed: FeedReader
  readonly scheduler: SnapshotScheduler
}

async function openIndex(
  { connection, snapshotFile, snapshotAfter, onWarning }: IndexEngineNeeds,
  wordPieces: WordPieceTokens,
  onWritten: () => void,
): Promise<OpenIndex> {
  const attempt = <Result>(work: () => Result) => tryOrWarn(work, onWarning)
  attempt(() => removeTemporaryFiles(snapshotFile))
  const source = sourceOf(await connection.readIdentity(), wordPieces)
  const feed = await openFeedReader(connection, {
    restored: attempt(() => readSnapshot(snapshotFile, source)),
    tokenize: wordPieces.tokenize,
    onReset: () => attempt(() => removeSnapshot(snapshotFile)),
  })
  const scheduler = createSnapshotScheduler(
    { snapshotFile, snapshotAfter, source, index: feed.index() },
    { onFailure: (error) => warnOfSnapshot(error, onWarning), onWritten },
  )
  return { feed, scheduler }
}

interface ReadOptions {
  readonly inTurn: Turns
  readonly signal: AbortSignal
}

/** Reads page by page; searches are answered in between. */
async function readAll(
  { feed, scheduler }: OpenIndex,
  { inTurn, signal }: ReadOptions,
): Promise<SearchIndex> {
  const readNext = async () => (feed.isReading() || (await feed.isBehind())) && feed.readPage()
  const finish = async () => {
    await feed.dropUnusedSpaces()
    const index = scheduler.update(feed.index())
    const isReplaced = index !== feed.index()
    feed.replace(index)
    return isReplaced
  }
  do while (!signal.aborted && (await inTurn(readNext))) await setImmediate()
  while (!signal.aborted && (await inTurn(finish)))
  return feed.index()
}

/** Reads all commits before the call; false if these are too many pages. */
async function catchUp(feed: FeedReader): Promise<boolean> {
  let pages = 0
  const readOn = async () => {
    while (feed.isReading() && pages++ < maxPages) await feed.readPage()
    return !feed.isReading()
  }
  // A read in progress may have started before the last commit.
  if (!(await readOn())) return false
  if (!(await feed.isBehind())) return true
  await feed.readPage()
  return readOn()
}

/** Reads pending purges, so that they leave the snapshot before the stop. */
async function closeIndex(
  { feed, scheduler }: OpenIndex,
  { inTurn, onWarning }: { readonly inTurn: Turns } & Pick<EngineListeners, 'onWarning'>,
): Promise<void> {
  const isCaughtUp = await inTurn(() => catchUp(feed)).catch((error: unknown) =>
    warnOfSnapshot(error, onWarning),
  )
  await scheduler.close(isCaughtUp ? feed.index() : undefined)
}

/** The index works without snapshots. */
function tryOrWarn<Result>(
  work: () => Result,
  onWarning: EngineListeners['onWarning'],
): Result | undefined {
  try {
    return work()
  } catch (error) {
    warnOfSnapshot(error, onWarning)
    return undefined
  }
}

function warnOfSnapshot(error: unknown, onWarning: EngineListeners['onWarning']): undefined {
  onWarning(`index snapshot failed: ${error}`)
  return undefined
}

type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Runs one piece of work after another. */
function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}

/** Searches that wait at the same time share one catch-up, which starts after all of them. */
function createSharedCatchUp(inTurn: Turns, readIndex: () => Promise<SearchIndex | undefined>) {
  const waiting: ((read: () => SearchIndex | undefined) => void)[] = []
  const answerWaiting = async () => {
    const searches = waiting.splice(0)
    if (searches.length === 0) return
    const read = await readIndex().then(
      (index) => () => index,
      (error: unknown) => () => {
        throw error
      },
    )
    for (const run of searches) run(read)
  }
  return <Result>(work: (index: SearchIndex | undefined) => Result): Promise<Result> => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    waiting.push((read) => {
      try {
        resolve(work(read()))
      } catch (error) {
        reject(error)
      }
    })
    void inTurn(answerWaiting)
    return promise
  }
}
