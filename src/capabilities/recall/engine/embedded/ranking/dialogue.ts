import type { Scene, Stage } from './scene.ts'
import { weights } from './weights.ts'

const bestOfSession = 3

/** The score of a slot by itself. */
export type DirectScore = (slot: number) => number

export function scoreWindow(scene: Scene, slot: number, direct: DirectScore): Stage {
  const sum = scene.neighbours(slot).reduce((sum, neighbour) => sum + direct(neighbour), 0)
  return { name: 'window', score: weights.window * sum, reason: 'neighbours in its session' }
}

/** A session with good answers has more of them: for each session, the mean of its three best. */
export function meanOfSessions(
  scene: Scene,
  pool: readonly number[],
  direct: DirectScore,
): ReadonlyMap<number, number> {
  const best = new Map<number, number[]>()
  for (const slot of pool) {
    const session = scene.session(slot)
    const scores = [...(best.get(session) ?? []), direct(slot)].toSorted((a, b) => b - a)
    if (session !== 0) best.set(session, scores.slice(0, bestOfSession))
  }
  const means = [...best].map(
    ([session, scores]) =>
      [session, scores.reduce((sum, score) => sum + score, 0) / bestOfSession] as const,
  )
  return new Map(means)
}

export function scoreSession(mean: number): Stage {
  return { name: 'session', score: weights.session * mean, reason: 'the best of its session' }
}
