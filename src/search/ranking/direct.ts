import { termCoverage } from './confidence.ts'
import { type Column, type RankingInput, type Stage, sumStages } from './ranking-input.ts'
import { defaultAlpha, interpolateWeight, maxHintScore, weights } from './weights.ts'

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
  const { words, [signal]: values } = input
  const best = maxOf(input, input[scale])
  const weight = weights[signal]
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
