import type { EngineCandidate, EngineQuery } from '../engine.ts'
import { type Ranked, rank } from './rank.ts'
import type { Scene } from './scene.ts'

interface Pool {
  readonly slots: readonly number[]
  readonly idOf: (slot: number) => string
}

/** The best of the pool, as they are answered. */
export function toCandidates(
  scene: Scene,
  { slots, idOf }: Pool,
  { limit, explain: explained, alpha }: Pick<EngineQuery, 'limit' | 'explain' | 'alpha'>,
): EngineCandidate[] {
  const { ranked, explain } = rank(scene, slots, { limit, alpha })
  return ranked.map((one) => {
    const found = toCandidate(scene, one, idOf(one.slot))
    return explained ? { ...found, stages: explain(one.slot) } : found
  })
}

function toCandidate(scene: Scene, { slot, score, source }: Ranked, id: string): EngineCandidate {
  const evidence = {
    lexical: scene.coverage(slot),
    soft: scene.softCoverage(slot),
    vector: Math.min(1, Math.max(scene.vector(slot), scene.passage(slot))),
    hint: scene.hintCoverage(slot),
  }
  return { id, score: Math.min(1, score), source, evidence }
}
