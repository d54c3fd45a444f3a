import type { ModelParts } from '../../capabilities/embeddings/static-model/index.ts'
import type { EngineHealth } from '../engine.ts'
import {
  analyzerFingerprint,
  createWordPieces,
  type WordPieceTokens,
} from '../tokens/word-pieces.ts'
import { begin, type Index, OtherRules, readPage } from './catch-up.ts'
import { createTidying } from './prune-vectors.ts'
import { type Asked, type Knowledge, readKnowledge } from './store/corpus-stats.ts'
import { readState } from './store/state.ts'
import { openVectors } from './store/vectors.ts'

export interface IndexNeeds extends Pick<Index, 'db' | 'feeds' | 'onTrouble'> {
  readonly indexedFrom?: number | undefined
  /** How many rows that hold the rarest words of a question are enough. */
  readonly enough?: number | undefined
  readonly readModel: () => Promise<ModelParts>
}

/** 5,000 rows: whoever is further behind says so instead of letting a question wait. */
const mostPages = 25

/** What is searched, kept in step with what was committed by any daemon. */
export interface OpenIndex extends Index, Pick<IndexNeeds, 'enough'> {
  readonly pieces: WordPieceTokens
  /** What is to be done so that there is a place for vectors. */
  readonly remedy: string | undefined
  /** Each turn reads some pages; true when it has read all that there was when it began. */
  readonly turns: Turns
  /** Given how many vectors there are. */
  readonly tidy: ReturnType<typeof createTidying>
}

export async function openIndex(needs: IndexNeeds): Promise<OpenIndex> {
  const { db, feeds, onTrouble, readModel, indexedFrom, enough } = needs
  const pieces = createWordPieces(await readModel())
  const remedy = await openVectors(db)
  if (remedy !== undefined)
    onTrouble(`memories are searched by words alone until the next start, for ${remedy}`)
  const index: Index = {
    ...{ db, feeds, onTrouble, readPieces: pieces.tokenize, rules: analyzerFingerprint(pieces) },
    hasVectors: remedy === undefined,
  }
  await begin(index)
  const turns = createTurns(() => readSomePages(index))
  return { ...index, remedy, enough, pieces, turns, tidy: createTidying({ ...index, indexedFrom }) }
}

/** Reads all there is, however long it takes; gives how the index is then. */
export async function readAll(index: OpenIndex, signal: AbortSignal): Promise<EngineHealth> {
  while (!signal.aborted && !(await index.turns.join()));
  const { live, held, seenMemory } = await readState(index.db)
  return {
    ...{ state: 'ready', rows: live, vectors: held, revision: seenMemory },
    ...(index.remedy && { withoutVectors: 'no_vector_extension', remedy: index.remedy }),
  }
}

/**
 * Of all that was committed before it was asked for; undefined when that is too much to wait for.
 * @throws {OtherRules}
 */
export async function readCurrent(index: OpenIndex, asked: Asked): Promise<Knowledge | undefined> {
  // A turn that is under way may have begun too early: the one after it has not.
  for (let turns = 0; turns < 2; turns++) {
    const knowledge = await readKnowledge(index.db, index, asked)
    if (knowledge.state.rules !== index.rules) throw new OtherRules()
    if (!isBehind(knowledge)) return knowledge
    if (!(await index.turns.join())) return undefined
  }
  return readKnowledge(index.db, index, asked)
}

function isBehind({ state, newest }: Knowledge): boolean {
  return state.seenMemory < newest.memory || state.seenVector < newest.vector
}

async function readSomePages(index: Index): Promise<boolean> {
  for (let pages = 0; pages < mostPages; pages++) if (!(await readPage(index))) return true
  return false
}

/** Work of which one run serves all who wait for it. */
interface Turns {
  /** Joins the run that is under way, if there is one, else begins one. */
  join(): Promise<boolean>
  /** When nothing is under way. */
  settled(): Promise<void>
}

function createTurns(run: () => Promise<boolean>): Turns {
  const state: { running?: Promise<boolean> | undefined } = {}
  const start = async () => {
    try {
      return await run()
    } finally {
      state.running = undefined
    }
  }
  return {
    join: () => {
      state.running ??= start()
      return state.running
    },
    settled: async () => {
      await state.running?.catch(() => undefined)
    },
  }
}
