import type { RankingInput } from './ranking-input.ts'
import { maxHintScore } from './weights.ts'

/** How much words and meaning count where both can be asked. */
const evidenceWeights = { words: 0.6, meaning: 0.4 }
/** Words of nearly the same meaning are nearly as sure. */
const softDiscount = 0.9
/** Whoever is named has said something. */
const namedSpeakerEvidence = 0.4
/** How many of the best are asked how sure the answer is. */
const confidenceDepth = 10
/** One question in a hundred that has an answer stays below, and many that have none. */
const minEvidence = 0.26
/** Where the lack of evidence says nothing, an answer of little of it is told as one that is hardly sure. */
const minConfidence = 0.1
/** Shares and cosines below these are found between texts that have nothing to do with one another. */
const minRelated = { words: 0.5, meaning: 0.25 }

/** Of the best rows, how much the surest answers whatever else there is, 0 to 1; 0 when nothing does. */
export function bestConfidence(input: RankingInput, slots: readonly number[]): number {
  const evidence = Math.max(
    0,
    ...slots.slice(0, confidenceDepth).map((slot) => evidenceOf(input, slot)),
  )
  if (input.isAbsenceSignificant && evidence < minEvidence) return 0
  return Math.sqrt(Math.min(1, Math.max(minConfidence, evidence)))
}

/** Whether anything at all is common to the question and the slot: nearly every text is a little like any. */
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

/** How much of what is asked for a slot holds in its own words, 0 to 1. */
export function termCoverage({ coverage, softCoverage }: RankingInput, slot: number): number {
  return Math.max(coverage(slot), softDiscount * (softCoverage[slot] as number))
}

/** Of the whole or of the best passage, whichever is more. */
export function bestCosine({ vector, passage }: RankingInput, slot: number): number {
  return Math.max(vector[slot] as number, passage[slot] as number)
}
