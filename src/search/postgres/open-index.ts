import type { ModelParts } from '../../capabilities/embeddings/static-model/index.ts'
import type { EngineHealth } from '../engine.ts'
import {
  analyzerFingerprint,
  createWordPieces,
  type WordPieceTokens,
} from '../tokens/word-pieces.ts'
import { AnalyzerMismatch, type Index, initialize, readPage } from './catch-up.ts'
import { createVectorPruning } from './prune-vectors.ts'
import { type CorpusStats, readCorpusStats, type StatsRequest } from './store/corpus-stats.ts'
import { readState } from './store/state.ts'
import { openVectors } from './store/vectors.ts'

export interface IndexNeeds extends Pick<Index, 'db' | 'feeds' | 'onWarning'> {
  readonly vectorIndexThreshold?: number | undefined
  /** How many rows that hold the rarest words of a question are enough. */
  readonly maxScannedRows?: number | undefined
  readonly readModel: () => Promise<ModelParts>
}

/** 5,000 rows: whoever is further behind says so instead of letting a question wait. */
const maxPages = 25

/** What is searched, kept in step with what was committed by any daemon. */
export interface OpenIndex extends Index, Pick<IndexNeeds, 'maxScannedRows'> {
  readonly wordPieces: WordPieceTokens
  /** What is to be done so that there is a place for vectors. */
  readonly remedy: string | undefined
  /** Each turn reads some pages; true when it has read all that there was when it began. */
  readonly catchUp: SingleFlight
  /** Given how many vectors there are. */
  readonly prune: ReturnType<typeof createVectorPruning>
}

export async function openIndex(needs: IndexNeeds): Promise<OpenIndex> {
  const { db, feeds, onWarning, readModel, vectorIndexThreshold, maxScannedRows } = needs
  const wordPieces = createWordPieces(await readModel())
  const remedy = await openVectors(db)
  if (remedy !== undefined)
    onWarning(`memories are searched by words alone until the next start, for ${remedy}`)
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

/** Reads all there is, however long it takes; gives how the index is then. */
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
 * Of all that was committed before it was asked for; undefined when that is too much to wait for.
 * @throws {AnalyzerMismatch}
 */
export async function readCurrent(
  index: OpenIndex,
  request: StatsRequest,
): Promise<CorpusStats | undefined> {
  // A turn that is under way may have begun too early: the one after it has not.
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

/** Work of which one run serves all who wait for it. */
interface SingleFlight {
  /** Joins the run that is under way, if there is one, else begins one. */
  run(): Promise<boolean>
  /** When nothing is under way. */
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
