import { trait } from '../text/traits.ts'
import { remember, type Scene, type Stage } from './scene.ts'
import { weigh, weights } from './weights.ts'

const bestOfSession = 3

/** The score of a slot by itself. */
type Score = (slot: number) => number

/** What was said just before and after it belongs to it. */
export function windowStage(scene: Scene, direct: Score): Stage {
  return {
    name: 'window',
    reason: 'what was said before and after it',
    score: (slot) => {
      const words = scene.words(slot)
      const window = weigh(weights.window, words)
      const before = scene.before(slot)
      const after = scene.after(slot)
      const follows = before === undefined ? 0 : window + answered(scene, before, words)
      return (
        (before === undefined ? 0 : follows * direct(before)) +
        (after === undefined ? 0 : window * direct(after))
      )
    },
  }
}

function answered(scene: Scene, before: number, words: number): number {
  return scene.traits(before) & trait.asks ? weigh(weights.answered, words) : 0
}

/** A session with good answers has more of them: the mean of its three best. */
export function sessionStage(scene: Scene, pool: readonly number[], score: Score): Stage {
  const best = new Map<number, number[]>()
  for (const slot of pool) {
    const session = scene.session(slot)
    if (session !== 0) best.set(session, withBest(best.get(session) ?? [], score(slot)))
  }
  const meanOf = remember((session) => {
    const scores = best.get(session) ?? []
    return scores.reduce((sum, score) => sum + score, 0) / bestOfSession
  })
  return {
    name: 'session',
    reason: 'the best of its session',
    score: (slot) => weights.session * meanOf(scene.session(slot)),
  }
}

function withBest(scores: readonly number[], score: number): number[] {
  return [...scores, score].toSorted((a, b) => b - a).slice(0, bestOfSession)
}
