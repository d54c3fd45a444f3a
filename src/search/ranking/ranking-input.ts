import type { EngineQuery, VectorKind } from '../engine.ts'

/** The input of the ranking: evidence by slot, numbered from 0. */
export interface RankingInput {
  /** The first `rankedCount` slots are ranked. */
  readonly rankedCount: number
  /** The first `scoredCount` slots are scored: ranked slots and their neighbours. */
  readonly scoredCount: number
  /** Evidence by slot: BM25, and cosines of the whole text and of its best passage. */
  readonly lexical: Column
  readonly vector: Column
  readonly passage: Column
  readonly hint: Column
  /** The kind of the model that made the vectors. */
  readonly vectorKind: VectorKind
  /** Soft-match coverage, normalized by length. */
  readonly soft: Column
  /** The share of query terms in a slot: exact, by similar words, and in hints; 0 to 1. */
  readonly coverage: (slot: number) => number
  readonly softCoverage: Column
  readonly hintCoverage: (slot: number) => number
  /** Whether missing evidence is significant: the query has a vector and consists of words. */
  readonly isAbsenceSignificant: boolean
  /** Speaker, folded. */
  readonly who: readonly string[]
  /** 1 if the query names the speaker. */
  readonly isNamedSpeaker: Column
  readonly words: Column
  /** Bits of `trait`; `queryTraits` are those of a likely answer. */
  readonly traits: Column
  readonly queryTraits: number
  /** 1 if the slot shares rare terms with the best one. */
  readonly isRelated: Column
  /** The number of the session; 0 without one. */
  readonly session: Column
  /** Distinct terms of a note; may be empty above `maxNoteTerms`. */
  readonly terms: (slot: number) => ArrayLike<string | number>
  /** The readable neighbours in the session, or `noNeighbour`. */
  readonly before: Column
  readonly after: Column
  /** The creation time in milliseconds. */
  readonly createdAt: (slot: number) => number
  /** Orders ties. */
  readonly byRecency: (slot: number, other: number) => number
}

export const noNeighbour = -1

/** Converts cosines of a model to shares of the range above those of unrelated texts. */
export function createCosineScale(vector: EngineQuery['vector']): (cosine: number) => number {
  const { baseCosine = 0 } = vector ?? {}
  if (baseCosine === 0) return (cosine) => cosine
  return (cosine) => Math.max(0, (cosine - baseCosine) / (1 - baseCosine))
}

/** A number for each scored slot. */
export type Column = ArrayLike<number>

/** A ranking stage: adds a score to each slot. */
export interface Stage {
  readonly name: string
  readonly reason?: string
  score(slot: number): number
}

/** Sums the scores of stages for the first `count` slots. */
export function sumStages(stages: readonly Stage[], count: number): Float64Array {
  const sums = new Float64Array(count)
  for (const { score } of stages)
    for (let slot = 0; slot < count; slot++) sums[slot] = (sums[slot] as number) + score(slot)
  return sums
}

export function fillColumn(count: number, valueAt: (slot: number) => number): Float64Array {
  const column = new Float64Array(count)
  for (let slot = 0; slot < count; slot++) column[slot] = valueAt(slot)
  return column
}
