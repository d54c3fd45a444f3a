import { availableParallelism } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { DeferredSelect } from '../../../kernel/db/deferred-select.ts'
import { openThreadReader } from '../../../kernel/db/thread-reader.ts'
import { readClock } from '../../../kernel/host/clock.ts'
import { releaseMemoryWhenIdle } from '../../../kernel/threads/release-memory.ts'
import type { EngineAnswer } from '../../engine.ts'
import type { Reply, Request } from '../../thread/search-thread.ts'
import { createWordPieces } from '../../tokens/word-pieces.ts'
import type { SearchWorkerOptions } from '../embedded-engine.ts'
import { countRows, countVectors } from '../index/search-index.ts'
import { findSimilar, search } from '../search.ts'
import {
  readSnapshot,
  removeSnapshot,
  removeTemporaryFiles,
  sourceOf,
} from '../snapshot/snapshot-file.ts'
import { createScanHelper } from '../vectors/helper/scan-helper.ts'
import { createFeedReader } from './feed-reader.ts'
import { createSnapshotScheduler } from './snapshot-scheduler.ts'

/** 50,000 rows: further behind, a search is answered as `index_building`. */
const maxPages = 100

/** Groups changes; a search reads them at once. */
const batchDelayMs = 100

const options: SearchWorkerOptions = workerData
const reader = openThreadReader(options.file)
const wordPieces = createWordPieces(options.model)
tryOrWarn(() => removeTemporaryFiles(options.snapshotFile))
const source = sourceOf(options.file, wordPieces)
const restored = tryOrWarn(() => readSnapshot(options.snapshotFile, source))
const feed = createFeedReader(reader, options, {
  restored,
  tokenize: wordPieces.tokenize,
  onReset: () => tryOrWarn(() => removeSnapshot(options.snapshotFile)),
})
const scheduler = createSnapshotScheduler(
  { ...options, source, index: feed.index() },
  {
    onFailure: warnSnapshot,
    onWritten: () => startCatchingUp(),
  },
)
const state = { isBuilt: false, isCatchingUp: false, isClosed: false }
const clock = () => readClock().getTime()
const helper =
  availableParallelism() > 1
    ? createScanHelper({ onWarning: (message) => post({ kind: 'warning', message }) })
    : undefined

releaseMemoryWhenIdle()
parentPort?.on('message', (request: Request) => {
  if (request.kind === 'close') void close()
  else if (request.kind === 'changed') startCatchingUp()
  else answer(request)
})
startCatchingUp()

function answer(request: Extract<Request, { readonly id: number }>): void {
  const { id } = request
  try {
    post({ kind: 'answer', id, answer: runRequest(request) })
  } catch (error) {
    post({ kind: 'failure', id, message: error instanceof Error ? error.message : String(error) })
  }
}

function runRequest(request: Extract<Request, { readonly id: number }>): EngineAnswer | undefined {
  const from = clock()
  if (!state.isBuilt || !catchUp())
    return { candidates: [], degraded: 'index_building', timings: [] }
  const caughtUp = { name: 'catch up', durationMs: clock() - from }
  if (request.kind === 'search') {
    const { candidates, timings } = search(feed.index(), request.query, {
      clock,
      wordPieces,
      helper,
    })
    const answer = { candidates, timings: [caughtUp, ...timings] }
    return request.query.select ? read(request.query.select, answer) : answer
  }
  const candidates = findSimilar(feed.index(), request.query)
  return candidates && { candidates, timings: [caughtUp] }
}

/** Reads the rows in this thread, to avoid waking another one. */
function read(select: DeferredSelect, { candidates, timings }: EngineAnswer): EngineAnswer {
  const from = clock()
  const ids = candidates.map(({ id }) => id)
  const selected = ids.length > 0 ? reader.readDeferred(select, ids) : { columns: [], rows: [] }
  const hydrated = { name: 'hydrate', durationMs: clock() - from }
  return { candidates, selected, timings: [...timings, hydrated] }
}

/** Returns false if there are too many pages to read before an answer. */
function catchUp(): boolean {
  for (let pages = 0; feed.isBehind(); pages++) {
    if (pages === maxPages) return false
    feed.readPage()
  }
  return true
}

function startCatchingUp(): void {
  if (state.isCatchingUp) return
  state.isCatchingUp = true
  if (state.isBuilt) setTimeout(readNextPage, batchDelayMs).unref()
  else setImmediate(readNextPage)
}

/** Reads one page and yields to queries. */
function readNextPage(): void {
  if (state.isClosed) return
  if (feed.isBehind() && feed.readPage()) {
    setImmediate(readNextPage)
    return
  }
  state.isBuilt = true
  state.isCatchingUp = false
  feed.dropUnusedSpaces()
  const index = scheduler.update(feed.index())
  if (index !== feed.index()) {
    feed.replace(index)
    startCatchingUp()
    return
  }
  post({
    kind: 'health',
    health: {
      state: 'ready',
      rows: countRows(index),
      vectors: countVectors(index),
      revision: index.seen.memories,
    },
  })
}

/** Reads pending purges, so that they leave the snapshot before the stop. */
async function close(): Promise<void> {
  state.isClosed = true
  const isCaughtUp = tryOrWarn(catchUp)
  await scheduler.close(isCaughtUp ? feed.index() : undefined)
  reader.close()
  parentPort?.close()
}

/** The index works without snapshots. */
function tryOrWarn<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    warnSnapshot(error)
    return undefined
  }
}

function warnSnapshot(error: unknown): void {
  post({ kind: 'warning', message: `index snapshot failed: ${error}` })
}

function post(reply: Reply): void {
  parentPort?.postMessage(reply)
}
