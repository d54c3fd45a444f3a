import type { ModelParts } from '../../static-model/index.ts'
import type { EngineHealth } from '../engine.ts'
import {
  analyzerFingerprint,
  createWordPieces,
  type WordPieceTokens,
} from '../tokens/token-similarity.ts'
import { AnalyzerMismatch, type Index, initialize, readPage } from './catch-up.ts'
import { createVectorPruning } from './prune-vectors.ts'
import { type CorpusStats, readCorpusStats, type StatsRequest } from './store/corpus-stats.ts'
import { readState } from './store/state.ts'
import { openVectors } from './store/vectors.ts'

export interface IndexNeeds extends Pick<Index, 'db' | 'feeds' | 'onWarning'> {
  readonly vectorIndexThreshold?: number | undefined
  /** How many rows with the rarest query terms are scanned at most. */
  readonly maxScannedRows?: number | undefined
  readonly readModel: () => Promise<ModelParts>
}

/** 5,000 rows: further behind, a search is answered as `index_building`. */
const maxPages = 25

/** The index tables, updated with commits of all daemons. */
export interface OpenIndex extends Index, Pick<IndexNeeds, 'maxScannedRows'> {
  readonly wordPieces: WordPieceTokens
  /** How to enable vectors. */
  readonly remedy: string | undefined
  /** Reads some pages; true when it reached the end. */
  readonly catchUp: SingleFlight
  /** Takes the number of vectors. */
  readonly prune: ReturnType<typeof createVectorPruning>
}

export async function openIndex(needs: IndexNeeds): Promise<OpenIndex> {
  const { db, feeds, onWarning, readModel, vectorIndexThreshold, maxScannedRows } = needs
  const wordPieces = createWordPieces(await readModel())
  const remedy = await openVectors(db)
  if (remedy !== undefined) onWarning(`vector search disabled until the next start: ${remedy}`)
  const index: Index = {
    db,
    feeds,
    onWarning: onWarning,
    tokenize: wordPieces.tokenize,
    analyzer: analyzerFingerprint(wordPieces),
    hasVectors: remedy === undefined,
  }
  await initialize(index)
  const catchUp = createSingleFlight(() => readSomePages(index))
  return {
    ...index,
    remedy,
    maxScannedRows,
    wordPieces,
    catchUp,
    prune: createVectorPruning({ ...index, vectorIndexThreshold }),
  }
}

/** Reads all pages and returns the health. */
export async function readAll(index: OpenIndex, signal: AbortSignal): Promise<EngineHealth> {
  while (!signal.aborted && !(await index.catchUp.run()));
  const { live, held, seenMemory } = await readState(index.db)
  return {
    state: 'ready',
    rows: live,
    vectors: held,
    revision: seenMemory,
    ...(index.remedy && { withoutVectors: 'no_vector_extension', remedy: index.remedy }),
  }
}

/**
 * Returns statistics that include all commits before the call; undefined when too far behind.
 * @throws {AnalyzerMismatch}
 */
export async function readCurrent(
  index: OpenIndex,
  request: StatsRequest,
): Promise<CorpusStats | undefined> {
  // A run in progress may have started before the call; the next one has not.
  for (let catchUp = 0; catchUp < 2; catchUp++) {
    const stats = await readCorpusStats(index.db, index, request)
    if (stats.state.rules !== index.analyzer) throw new AnalyzerMismatch()
    if (!isBehind(stats)) return stats
    if (!(await index.catchUp.run())) return undefined
  }
  return readCorpusStats(index.db, index, request)
}

function isBehind({ state, newest }: CorpusStats): boolean {
  return state.seenMemory < newest.memory || state.seenVector < newest.vector
}

async function readSomePages(index: Index): Promise<boolean> {
  for (let pages = 0; pages < maxPages; pages++) if (!(await readPage(index))) return true
  return false
}

/** Single-flight: concurrent callers share one run. */
interface SingleFlight {
  /** Joins the current run or starts one. */
  run(): Promise<boolean>
  /** Resolves when no run is in progress. */
  settled(): Promise<void>
}

function createSingleFlight(work: () => Promise<boolean>): SingleFlight {
  const state: { running?: Promise<boolean> | undefined } = {}
  const start = async () => {
    try {
      return await work()
    } finally {
      state.running = undefined
    }
  }
  return {
    run: () => {
      state.running ??= start()
      return state.running
    },
    settled: async () => {
      await state.running?.catch(() => undefined)
    },
  }
}
