import { termCoverage } from './confidence.ts'
import { type Column, type RankingInput, type Stage, sumStages } from './ranking-input.ts'
import { defaultAlpha, interpolateWeight, maxHintScore, weights } from './weights.ts'

type Signal = 'lexical' | 'vector' | 'passage' | 'soft'

/** What words alone are worth, where there is nothing else. */
const defaultHintWorth = weights.lexical.short + weights.soft.short
/** Beside what is less sure than half a hint, a hint counts twice as much as that and no more. */
const minCoverage = maxHintScore / 2

interface SignalOptions {
  readonly signal: Signal
  /** Of its usual weight. */
  readonly factor: number
  /** Whose best is the whole, where not its own. */
  readonly scale?: Signal | 'softCoverage'
}

const reasons: Readonly<Record<Signal, string>> = {
  lexical: 'holds words of the question',
  vector: 'means what the question means',
  passage: 'a passage of it means what the question means',
  soft: 'holds words of nearly the same meaning',
}

/** What a slot's own words, its vectors and its hints say. */
export function directStages(input: RankingInput, alpha: number): readonly Stage[] {
  // The farther the balance is to one side, the less the other counts, down to nothing.
  const words = Math.min(1, (1 - alpha) / (1 - defaultAlpha))
  const meaning = Math.min(1, alpha / defaultAlpha)
  const stages = [
    signalStage(input, { signal: 'lexical', factor: words }),
    signalStage(input, { signal: 'vector', factor: meaning }),
    signalStage(input, { signal: 'passage', factor: meaning }),
    // Before lengths count: where all that is alike is long, it is worth little.
    signalStage(input, { signal: 'soft', factor: words, scale: 'softCoverage' }),
  ]
  return [...stages, hintStage(input, stages)]
}

/** Scales differ from question to question: evidence counts as a share of the best there is. */
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
 * Where a hint says more than the words and vectors themselves, it makes up for the difference. The
 * best of these count as much as they are sure, so that a hint counts beside them by how sure it is.
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
    reason: 'a hint says more than the words themselves',
    score: (slot) => {
      const hint = input.hint[slot] as number
      if (hint <= 0) return 0
      const hinted = hintWorth * maxHintScore * (hint / best) * input.hintCoverage(slot)
      return Math.max(0, hinted - stages.reduce((sum, stage) => sum + stage.score(slot), 0))
    },
  }
}

/** How much the surest holds of what is asked for. */
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
