import { type Column, type RankingInput, type Stage, sumStages } from './ranking-input.ts'
import { defaultAlpha, interpolateWeight, maxHintScore, signalWeights, weights } from './weights.ts'

/** Weights of words and meaning where both are available. */
const evidenceWeights = { words: 0.6, meaning: 0.4 }
/** Discount of similar words against exact ones. */
const softDiscount = 0.9
/** Evidence of a named speaker. */
const namedSpeakerEvidence = 0.4
/** The number of top slots considered. */
const confidenceDepth = 10
/**
 * 1 % of answerable questions and many unanswerable ones stay below. A paraphrase has no common words,
 * so meaning alone suffices for a transformer.
 */
const minEvidence = { static: 0.26, transformer: 0.1 } as const
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
  if (input.isAbsenceSignificant && evidence < minEvidence[input.vectorKind]) return 0
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
function termCoverage({ coverage, softCoverage }: RankingInput, slot: number): number {
  return Math.max(coverage(slot), softDiscount * (softCoverage[slot] as number))
}

/** The larger cosine of the whole text and of the best passage. */
export function bestCosine({ vector, passage }: RankingInput, slot: number): number {
  return Math.max(vector[slot] as number, passage[slot] as number)
}

type Signal = 'lexical' | 'vector' | 'passage' | 'soft'

/** The score of a hint if no other signal exists. */
const defaultHintWorth = weights.lexical.short + weights.soft.short
/** Below this coverage of the best hit, a hint is not scaled further. */
const minCoverage = maxHintScore / 2

interface SignalOptions {
  readonly signal: Signal
  /** Factor of the default weight. */
  readonly factor: number
  /** The signal that normalizes this one, if not itself. */
  readonly scale?: Signal | 'softCoverage'
}

const reasons: Readonly<Record<Signal, string>> = {
  lexical: 'contains query terms',
  vector: 'meaning similar to the query',
  passage: 'passage with meaning similar to the query',
  soft: 'contains words similar to query words',
}

/** Scores of words, vectors and hints of a slot. */
export function directStages(input: RankingInput, alpha: number): readonly Stage[] {
  // Alpha shifts weight between words and meaning, down to zero.
  const words = Math.min(1, (1 - alpha) / (1 - defaultAlpha))
  const meaning = Math.min(1, alpha / defaultAlpha)
  const stages = [
    signalStage(input, { signal: 'lexical', factor: words }),
    signalStage(input, { signal: 'vector', factor: meaning }),
    signalStage(input, { signal: 'passage', factor: meaning }),
    // Normalized by the raw coverage: among long texts, similarity is worth less.
    signalStage(input, { signal: 'soft', factor: words, scale: 'softCoverage' }),
  ]
  return [...stages, hintStage(input, stages)]
}

/** Scales differ between queries: a signal counts as share of its maximum. */
function signalStage(
  input: RankingInput,
  { signal, factor, scale = signal }: SignalOptions,
): Stage {
  const { words, vectorKind, [signal]: values } = input
  const best = maxOf(input, input[scale])
  const weight = signalWeights[vectorKind][signal]
  const score = (slot: number) =>
    (factor * interpolateWeight(weight, words[slot] as number) * (values[slot] as number)) / best
  return { name: signal, reason: reasons[signal], score: best > 0 ? score : () => 0 }
}

/**
 * Raises a slot to the score of its hint, if that is higher. The hint is scaled by the best direct
 * score and its confidence.
 */
function hintStage(input: RankingInput, stages: readonly Stage[]): Stage {
  const best = maxOf(input, input.hint)
  const direct = best > 0 ? sumStages(stages, input.rankedCount) : []
  const hintWorth = Math.max(
    defaultHintWorth,
    maxOf(input, direct) / Math.max(minCoverage, maxCoverage(input)),
  )
  return {
    name: 'hint',
    reason: 'hint matches better than the text',
    score: (slot) => {
      const hint = input.hint[slot] as number
      if (hint <= 0) return 0
      const hinted = hintWorth * maxHintScore * (hint / best) * input.hintCoverage(slot)
      return Math.max(0, hinted - stages.reduce((sum, stage) => sum + stage.score(slot), 0))
    },
  }
}

/** The maximum term coverage. */
function maxCoverage(input: RankingInput): number {
  let max = 0
  for (let slot = 0; slot < input.rankedCount; slot++)
    max = Math.max(max, termCoverage(input, slot))
  return max
}

function maxOf({ rankedCount }: RankingInput, signal: Column): number {
  let max = 0
  for (let slot = 0; slot < rankedCount; slot++) max = Math.max(max, signal[slot] as number)
  return max
}
