import type { EngineCandidate, EngineQuery } from '../engine.ts'
import { cosineOf } from './confidence.ts'
import { type Ranked, rank } from './rank.ts'
import type { Scene } from './scene.ts'

/** The best, as they are answered. */
export function toCandidates(
  scene: Scene,
  idOf: (slot: number) => string,
  { limit, explain: explained, alpha }: Pick<EngineQuery, 'limit' | 'explain' | 'alpha'>,
): EngineCandidate[] {
  const { ranked, explain } = rank(scene, { limit, alpha })
  return ranked.map((one) => {
    const found = toCandidate(scene, one, idOf(one.slot))
    return explained ? { ...found, stages: explain(one.slot) } : found
  })
}

function toCandidate(scene: Scene, { slot, score, source }: Ranked, id: string): EngineCandidate {
  const evidence = {
    lexical: scene.coverage(slot),
    soft: scene.softCoverage[slot] as number,
    vector: Math.min(1, cosineOf(scene, slot)),
    hint: scene.hintCoverage(slot),
  }
  return { id, score: Math.min(1, score), source, evidence }
}
