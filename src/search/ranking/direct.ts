import { heldBy } from './confidence.ts'
import { type Column, type Scene, type Stage, sumOf } from './ranking-input.ts'
import { hintCap, usualAlpha, weigh, weights } from './weights.ts'

type Evidence = 'lexical' | 'vector' | 'passage' | 'soft'

/** What words alone are worth, where there is nothing else. */
const usualWorth = weights.lexical.short + weights.soft.short
/** Beside what is less sure than half a hint, a hint counts twice as much as that and no more. */
const leastSure = hintCap / 2

interface Counted {
  readonly evidence: Evidence
  /** Of its usual weight. */
  readonly counting: number
  /** Whose best is the whole, where not its own. */
  readonly scale?: Evidence | 'softCoverage'
}

const reasons: Readonly<Record<Evidence, string>> = {
  lexical: 'holds words of the question',
  vector: 'means what the question means',
  passage: 'a passage of it means what the question means',
  soft: 'holds words of nearly the same meaning',
}

/** What a slot's own words, its vectors and its hints say. */
export function directStages(scene: Scene, alpha: number): readonly Stage[] {
  // The farther the balance is to one side, the less the other counts, down to nothing.
  const words = Math.min(1, (1 - alpha) / (1 - usualAlpha))
  const meaning = Math.min(1, alpha / usualAlpha)
  const stages = [
    shareOf(scene, { evidence: 'lexical', counting: words }),
    shareOf(scene, { evidence: 'vector', counting: meaning }),
    shareOf(scene, { evidence: 'passage', counting: meaning }),
    // Before lengths count: where all that is alike is long, it is worth little.
    shareOf(scene, { evidence: 'soft', counting: words, scale: 'softCoverage' }),
  ]
  return [...stages, hintStage(scene, stages)]
}

/** Scales differ from question to question: evidence counts as a share of the best there is. */
function shareOf(scene: Scene, { evidence, counting, scale = evidence }: Counted): Stage {
  const { words, [evidence]: found } = scene
  const best = mostOf(scene, scene[scale])
  const weight = weights[evidence]
  const score = (slot: number) =>
    (counting * weigh(weight, words[slot] as number) * (found[slot] as number)) / best
  return { name: evidence, reason: reasons[evidence], score: best > 0 ? score : () => 0 }
}

/**
 * Where a hint says more than the words and vectors themselves, it makes up for the difference. The
 * best of these count as much as they are sure, so that a hint counts beside them by how sure it is.
 */
function hintStage(scene: Scene, stages: readonly Stage[]): Stage {
  const best = mostOf(scene, scene.hint)
  const direct = best > 0 ? sumOf(stages, scene.ranked) : []
  const worth = Math.max(usualWorth, mostOf(scene, direct) / Math.max(leastSure, surestOf(scene)))
  return {
    name: 'hint',
    reason: 'a hint says more than the words themselves',
    score: (slot) => {
      const hint = scene.hint[slot] as number
      if (hint <= 0) return 0
      const hinted = worth * hintCap * (hint / best) * scene.hintCoverage(slot)
      return Math.max(0, hinted - stages.reduce((sum, stage) => sum + stage.score(slot), 0))
    },
  }
}

/** How much the surest holds of what is asked for. */
function surestOf(scene: Scene): number {
  let surest = 0
  for (let slot = 0; slot < scene.ranked; slot++) surest = Math.max(surest, heldBy(scene, slot))
  return surest
}

function mostOf({ ranked }: Scene, evidence: Column): number {
  let most = 0
  for (let slot = 0; slot < ranked; slot++) most = Math.max(most, evidence[slot] as number)
  return most
}
