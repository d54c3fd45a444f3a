import type { ReadScope } from '../kernel/auth/read-scope.ts'
import type { DeferredRows, DeferredSelect } from '../kernel/db/deferred-select.ts'

/**
 * Finds memories by words and by meaning, and ranks them. All its state can be rebuilt from the
 * database. Visibility is decided before ranking.
 */
export interface SearchEngine {
  /** Called after each commit. A later search sees at least what was committed. */
  changed(): void
  /**
   * @throws {EngineBusy} when too many requests are pending @throws {EngineUnavailable} when the
   * engine stopped; the request is not retried
   */
  search(query: EngineQuery): Promise<EngineAnswer>
  /**
   * The nearest memories to the stored vector of a memory, which is excluded; undefined without
   * such a vector. The memory must be visible and in the namespace; it may be superseded.
   */
  similar(query: SimilarQuery): Promise<EngineAnswer | undefined>
  health(): EngineHealth
  close(): Promise<void>
}

/** Which live memories may answer; an absent filter restricts nothing. A time range is given as `ids`. */
interface EngineFilters {
  /** The namespace; null is the common one. */
  readonly scope: string | null
  readonly ids?: readonly string[] | undefined
  readonly agentId?: string | undefined
  readonly sessionId?: string | undefined
  readonly type?: string | undefined
  readonly who?: string | undefined
  readonly sourceType?: string | undefined
  readonly project?: string | undefined
  readonly pinned?: boolean | undefined
  readonly importanceMin?: number | undefined
  /** A memory must have every one of these tags. */
  readonly tags?: readonly string[] | undefined
  /** Inclusive bounds of the creation time, ISO. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** `static`: a sum of word vectors. `transformer`: a network that reads the whole text. */
export type VectorKind = 'static' | 'transformer'

/** Compared with vectors of the same model identity only. */
interface QueryVector {
  readonly identity: string
  readonly values: Float32Array
  /** Selects the ranking weights; default `static`. */
  readonly kind?: VectorKind | undefined
  /** The cosine of unrelated texts, which counts as 0; default 0. */
  readonly baseCosine?: number | undefined
}

export interface EngineQuery {
  readonly text: string
  readonly vector?: QueryVector | undefined
  readonly readScope: ReadScope
  readonly filters: EngineFilters
  /** Restricts the answer to these ids. */
  readonly ids?: readonly string[] | undefined
  /** Weight of meaning against words, 0 to 1 (`search.alpha`). */
  readonly alpha?: number | undefined
  /** 1 to 300. */
  readonly limit: number
  /** The time of the question, ISO. */
  readonly now: string
  /**
   * Answers with the state at this time, ISO: later memories are excluded, later supersessions are
   * ignored, and memories must be valid then.
   */
  readonly asOf?: string | undefined
  /** Excludes memories of this source type. */
  readonly exceptSourceType?: string | undefined
  readonly explain?: boolean | undefined
  /** Whether related notes are added, beyond the limit. */
  readonly withRelated?: boolean | undefined
  /** A select to run on the hits, if the engine reads the same database. */
  readonly select?: DeferredSelect | undefined
}

export interface SimilarQuery
  extends Pick<EngineQuery, 'readScope' | 'filters' | 'exceptSourceType' | 'limit'> {
  readonly id: string
  readonly identity: string
}

/** A query term and a term that is searched instead of it or with it. */
export interface Replacement {
  readonly from: string
  readonly to: string
}

export interface EngineAnswer {
  /** Best first, at most `limit`, and related ones behind them. */
  readonly candidates: readonly EngineCandidate[]
  /** Misspelt query terms and the terms that were searched instead. */
  readonly corrections?: readonly Replacement[]
  /** With `explain`: query terms and terms of the same meaning. */
  readonly translations?: readonly Replacement[]
  /** Whether the engine corrects no spelling. */
  readonly withoutSpelling?: true
  /** The selected rows; absent if nothing was selected. */
  readonly selected?: DeferredRows
  /** Why there are no or few candidates; the caller then searches the database. */
  readonly degraded?: Degraded
  /** Why vectors were not used for a query with a vector. */
  readonly withoutVectors?: 'no_vector_extension'
  readonly timings: readonly { readonly name: string; readonly durationMs: number }[]
}

type Degraded =
  | ('index_building' | 'index_failed' | 'index_late')
  | ('no_index' | 'no_vector_extension')

export interface EngineCandidate {
  readonly id: string
  /** 0 to 1, roughly comparable between queries. */
  readonly score: number
  readonly source: 'hybrid' | 'vector' | 'keyword' | 'hint'
  /** The evidence of each signal, 0 to 1; of vectors the cosine. */
  readonly evidence: Readonly<Record<'lexical' | 'soft' | 'vector' | 'hint', number>>
  /** A turn of a dialogue: a session neighbour is by another speaker and from about the same time. */
  readonly isTurn?: true
  /** Shares no evidence with the query, but rare terms with the best note. */
  readonly isRelated?: true
  /** With `explain`: the score of each ranking stage, with its reason. */
  readonly stages?: readonly RankingStage[]
}

interface RankingStage {
  readonly name: string
  readonly score: number
  readonly reason?: string
}

export interface EngineHealth {
  readonly state: 'building' | 'ready' | 'failed' | 'absent'
  /** Indexed memories that are not deleted. */
  readonly rows: number
  readonly vectors: number
  /** The last revision read from the memory feed. */
  readonly revision: number
  /** Why vectors are never used, and how to fix it. */
  readonly withoutVectors?: 'no_vector_extension'
  readonly remedy?: string
  /** Whether misspelt query terms are not corrected. */
  readonly withoutSpelling?: true
  /** Why an index in memory that is too large does not move to the server, and how to fix it. */
  readonly oversized?: string
}

export const initialHealth: EngineHealth = { state: 'building', rows: 0, vectors: 0, revision: 0 }

/** The engine stopped before it answered. A retry is safe. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineLost'
}

/** Too many requests are pending. */
export class EngineBusy extends Error {
  override readonly name = 'EngineBusy'
}

/** An engine without index: callers search the database. */
export function createNullEngine(): SearchEngine {
  const reply = async () => ({ candidates: [], degraded: 'no_index', timings: [] }) as const
  return {
    changed: () => {},
    search: reply,
    similar: reply,
    health: () => ({ state: 'absent', rows: 0, vectors: 0, revision: 0 }),
    close: async () => {},
  }
}
