import { type Scene, type Stage, shareOf } from './scene.ts'
import { hintCap, weights } from './weights.ts'

/** What a slot's own words, its vectors and its hints say. */
export function scoreDirect(scene: Scene, slot: number): readonly Stage[] {
  const stages = (['lexical', 'vector', 'passage'] as const).map((name) => ({
    name,
    score: weights[name] * shareOf(scene, name, slot),
  }))
  const direct = sumOf(stages)
  const hinted = weights.lexical * hintCap * shareOf(scene, 'hint', slot) * scene.hintCoverage(slot)
  const more = Math.max(0, hinted - direct)
  const hint = { name: 'hint', score: more, reason: 'a hint says more than the words themselves' }
  return more > 0 ? [...stages, hint] : stages
}

export function sumOf(stages: readonly Stage[]): number {
  return stages.reduce((sum, { score }) => sum + score, 0)
}
