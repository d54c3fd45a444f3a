import type { EngineCandidate, EngineQuery } from '../engine.ts'
import { bestConfidence, bestCosine, directStages, isRelevant } from './confidence.ts'
import { instructionStage, isTurn, replyStage, sessionStage, windowStage } from './dialogue.ts'

import {
  type Column,
  noNeighbour,
  type RankingInput,
  type Stage,
  sumStages,
} from './ranking-input.ts'
import { speakerStages, termOverlapStage, textTraitStages } from './text-traits.ts'

import { defaultAlpha, maxHintScore } from './weights.ts'

/** This far below the best score, the score is halved. */
const halfScoreDistance = 2

interface RankedSlot {
  readonly slot: number
  readonly isRelated?: true
  /** 0 to 1. */
  readonly score: number
  readonly source: 'hybrid' | 'vector' | 'keyword' | 'hint'
}

interface RankOptions {
  readonly limit: number
  readonly alpha?: number | undefined
}

export interface Ranking {
  /** The top slots, best first; empty if the best does not answer the query. */
  readonly ranked: readonly RankedSlot[]
  /** Scores of each stage for a slot, with reasons. */
  explain(
    slot: number,
  ): { readonly name: string; readonly score: number; readonly reason?: string }[]
}

export function rank(input: RankingInput, { limit, alpha = defaultAlpha }: RankOptions): Ranking {
  const relevant = listRelevant(input)
  const { stages, scores } = scoreStages(input, { alpha, relevant })
  const scoreOf = (slot: number) => scores[slot] as number
  const ordered = relevant.sort((a, b) => scoreOf(b) - scoreOf(a) || input.byRecency(a, b))
  const confidence = bestConfidence(input, ordered)
  const [first] = ordered
  const best = first === undefined ? 0 : scoreOf(first)
  const toShare = (raw: number) => 1 / (1 + (best - raw) / halfScoreDistance)
  const toRankedSlot = (slot: number) => toRanked(input, slot, confidence * toShare(scoreOf(slot)))
  return {
    ranked:
      confidence === 0
        ? []
        : [
            ...ordered.slice(0, limit).map(toRankedSlot),
            ...listRelated(input, ordered).map((slot) => ({
              ...toRankedSlot(slot),
              isRelated: true as const,
            })),
          ],
    explain: (slot) =>
      stages
        .map(({ name, reason, score }) => ({ name, score: score(slot), ...(reason && { reason }) }))
        .filter(({ score }) => score !== 0),
  }
}

/** All stages, and their sums by slot. */
function scoreStages(
  input: RankingInput,
  { alpha, relevant }: { readonly alpha: number; readonly relevant: readonly number[] },
) {
  const { rankedCount, scoredCount } = input
  const direct = directStages(input, alpha)
  const directScores = sumStages(direct, scoredCount)
  const window = windowStage(input, directScores)
  const windowScores = addScores(directScores, sumStages([window], rankedCount))
  const others = [
    sessionStage(input, windowScores),
    ...speakerStages(input),
    ...textTraitStages(input),
  ]
  const withoutOverlap = addScores(windowScores, sumStages(others, rankedCount))
  const overlap = termOverlapStage(input, withoutOverlap)
  const own = addScores(withoutOverlap, sumStages([overlap], rankedCount))
  const raised = [replyStage(input, own), instructionStage(input, own, relevant)]
  const stages: readonly Stage[] = [...direct, window, ...others, overlap, ...raised]
  return { stages, scores: addScores(own, sumStages(raised, rankedCount)) }
}

/** Adds two columns; the result has the length of the second. */
function addScores(scores: Column, more: Float64Array): Float64Array {
  return more.map((score, slot) => (scores[slot] as number) + score)
}

function toRanked(input: RankingInput, slot: number, score: number): RankedSlot {
  const source = sourceOf(input, slot)
  return { slot, source, score: source === 'hint' ? Math.min(maxHintScore, score) : score }
}

function sourceOf(
  { lexical, vector, passage, hint }: RankingInput,
  slot: number,
): RankedSlot['source'] {
  const isAbove = (column: Column) => (column[slot] as number) > 0
  const isNear = isAbove(vector) || isAbove(passage)
  if (isAbove(lexical)) return isNear ? 'hybrid' : 'keyword'
  if (isAbove(hint)) return 'hint'
  return isNear ? 'vector' : 'keyword'
}

/** Related slots that the query alone does not find; none if the best slot is a turn. */
function listRelated(input: RankingInput, relevant: readonly number[]): number[] {
  const [best] = relevant
  if (best === undefined || isTurn(input, best)) return []
  const found = new Set(relevant)
  const related: number[] = []
  for (let slot = 0; slot < input.rankedCount; slot++)
    if (input.isRelated[slot] === 1 && !found.has(slot)) related.push(slot)
  return related
}

/** A neighbour of a relevant slot is relevant, too. */
function listRelevant(input: RankingInput): number[] {
  const isRelevantSlot = (slot: number) => slot !== noNeighbour && isRelevant(input, slot)
  const relevant: number[] = []
  for (let slot = 0; slot < input.rankedCount; slot++)
    if (
      isRelevantSlot(slot) ||
      isRelevantSlot(input.before[slot] as number) ||
      isRelevantSlot(input.after[slot] as number)
    )
      relevant.push(slot)
  return relevant
}

/** Ranks the input and returns the top candidates. */
export function toCandidates(
  input: RankingInput,
  idOf: (slot: number) => string,
  { limit, explain: wantsExplanation, alpha }: Pick<EngineQuery, 'limit' | 'explain' | 'alpha'>,
): EngineCandidate[] {
  const { ranked, explain } = rank(input, { limit, alpha })
  return ranked.map((one) => {
    const candidate = toCandidate(input, one, idOf(one.slot))
    return wantsExplanation ? { ...candidate, stages: explain(one.slot) } : candidate
  })
}

function toCandidate(
  input: RankingInput,
  { slot, score, source, isRelated }: RankedSlot,
  id: string,
): EngineCandidate {
  const evidence = {
    lexical: input.coverage(slot),
    soft: input.softCoverage[slot] as number,
    vector: Math.min(1, bestCosine(input, slot)),
    hint: input.hintCoverage(slot),
  }
  return {
    id,
    score: Math.min(1, score),
    source,
    evidence,
    ...(isTurn(input, slot) && { isTurn: true as const }),
    ...(isRelated && { isRelated }),
  }
}
