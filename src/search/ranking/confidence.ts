import type { RankingInput } from './ranking-input.ts'
import { maxHintScore } from './weights.ts'

/** Weights of words and meaning where both are available. */
const evidenceWeights = { words: 0.6, meaning: 0.4 }
/** Discount of similar words against exact ones. */
const softDiscount = 0.9
/** Evidence of a named speaker. */
const namedSpeakerEvidence = 0.4
/** The number of top slots considered. */
const confidenceDepth = 10
/** 1 % of answerable questions and many unanswerable ones stay below. */
const minEvidence = 0.26
/** Confidence of an answer with little evidence, if its absence is not significant. */
const minConfidence = 0.1
/** Unrelated texts stay below these values. */
const minRelated = { words: 0.5, meaning: 0.25 }

/** The confidence of the best slot, 0 to 1; 0 if no slot answers. */
export function bestConfidence(input: RankingInput, slots: readonly number[]): number {
  const evidence = Math.max(
    0,
    ...slots.slice(0, confidenceDepth).map((slot) => evidenceOf(input, slot)),
  )
  if (input.isAbsenceSignificant && evidence < minEvidence) return 0
  return Math.sqrt(Math.min(1, Math.max(minConfidence, evidence)))
}

/** Whether question and slot have anything in common, above noise. */
export function isRelevant(input: RankingInput, slot: number): boolean {
  return (
    (input.lexical[slot] as number) > 0 ||
    (input.hint[slot] as number) > 0 ||
    input.isNamedSpeaker[slot] === 1 ||
    (input.softCoverage[slot] as number) >= minRelated.words ||
    bestCosine(input, slot) >= minRelated.meaning
  )
}

function evidenceOf(input: RankingInput, slot: number): number {
  const words = Math.max(termCoverage(input, slot), maxHintScore * input.hintCoverage(slot))
  const meaning = Math.max(bestCosine(input, slot), 0)
  const evidence = input.isAbsenceSignificant
    ? evidenceWeights.words * words + evidenceWeights.meaning * meaning
    : words
  return Math.max(evidence, input.isNamedSpeaker[slot] === 1 ? namedSpeakerEvidence : 0)
}

/** The share of query terms in the text of the slot, 0 to 1. */
export function termCoverage({ coverage, softCoverage }: RankingInput, slot: number): number {
  return Math.max(coverage(slot), softDiscount * (softCoverage[slot] as number))
}

/** The larger cosine of the whole text and of the best passage. */
export function bestCosine({ vector, passage }: RankingInput, slot: number): number {
  return Math.max(vector[slot] as number, passage[slot] as number)
}
