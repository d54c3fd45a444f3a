import type { DeferredRows, DeferredSelect } from '../kernel/db/deferred-select.ts'
import type { ReadScope } from '../kernel/db/read-scope.ts'

/**
 * Finds memories by words and by meaning, and ranks them. It keeps nothing of its own: whatever it
 * holds can be built again from the database. Who may read what is decided before anything is ranked.
 */
export interface SearchEngine {
  /** Told after each commit; a search that starts later sees at least what was committed. */
  changed(): void
  /**
   * @throws {EngineBusy} when too many wait already
   * @throws {EngineUnavailable} when whoever was to answer is gone; nothing is asked twice
   */
  search(query: EngineQuery): Promise<EngineAnswer>
  /**
   * The memories nearest to a kept vector, itself left out; undefined where there is no such vector.
   * The memory asked about is in sight and in the namespace, and need not be current.
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

export interface EngineQuery {
  readonly text: string
  /** The text as a vector; it is compared with vectors of the same identity only. */
  readonly vector?: { readonly identity: string; readonly values: Float32Array } | undefined
  readonly readScope: ReadScope
  readonly filters: EngineFilters
  /** Only these, when given. */
  readonly ids?: readonly string[] | undefined
  /** How much meaning counts against words, 0 to 1: see `search.alpha`. */
  readonly alpha?: number | undefined
  /** 1 to 300. */
  readonly limit: number
  /** The time at which the question is asked, ISO. */
  readonly now: string
  /**
   * What was current then, ISO: later memories are unknown, what was superseded later is not yet, and
   * what is said to be valid at other times only is left out.
   */
  readonly asOf?: string | undefined
  /** What has this source type does not answer. */
  readonly exceptSourceType?: string | undefined
  readonly explain?: boolean | undefined
  /** What to read of those that are found, by their ids, if the engine reads the same database. */
  readonly select?: DeferredSelect | undefined
}

export interface SimilarQuery
  extends Pick<EngineQuery, 'readScope' | 'filters' | 'exceptSourceType' | 'limit'> {
  readonly id: string
  readonly identity: string
}

export interface EngineAnswer {
  /** The best first, at most `limit`. */
  readonly candidates: readonly EngineCandidate[]
  /** What was to be read of them; absent where nothing was read. */
  readonly selected?: DeferredRows
  /** Why the candidates are none or too few: whoever asked looks for words in the database instead. */
  readonly degraded?: Degraded
  /** Why meaning did not count, although the question has a vector. */
  readonly withoutVectors?: 'no_vector_extension'
  readonly timings: readonly { readonly name: string; readonly durationMs: number }[]
}

type Degraded =
  | ('index_building' | 'index_failed' | 'index_late')
  | ('no_index' | 'no_vector_extension')

export interface EngineCandidate {
  readonly id: string
  /** 0 to 1, comparable across questions as well as can be. */
  readonly score: number
  readonly source: 'hybrid' | 'vector' | 'keyword' | 'hint'
  /** What each kind of evidence says by itself: 0 to 1, of vectors the cosine. */
  readonly evidence: Readonly<Record<'lexical' | 'soft' | 'vector' | 'hint', number>>
  /** With `explain`: what each stage of the ranking gave, and why. */
  readonly stages?: readonly RankingStage[]
}

interface RankingStage {
  readonly name: string
  readonly score: number
  readonly reason?: string
}

export interface EngineHealth {
  readonly state: 'building' | 'ready' | 'failed' | 'absent'
  /** Memories that are indexed, deleted ones aside. */
  readonly rows: number
  readonly vectors: number
  /** Of the newest memory row that was seen. */
  readonly revision: number
  /** Why meaning never counts, where it does not, and in words what mends that. */
  readonly withoutVectors?: 'no_vector_extension'
  readonly remedy?: string
}

/** Whoever was to answer is gone. The question may be asked again; nobody does so unasked. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineLost'
}

/** Too many wait already. */
export class EngineBusy extends Error {
  override readonly name = 'EngineBusy'
}

/** Where nothing is indexed: every answer sends whoever asks to the database. */
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
