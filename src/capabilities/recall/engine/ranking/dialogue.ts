import { trait } from '../text/traits.ts'
import type { Scene, Stage } from './scene.ts'
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
    if (session === 0) continue
    const scores = best.get(session) ?? []
    best.set(session, scores)
    takeBest(scores, score(slot))
  }
  const means = new Map(
    [...best].map(([session, scores]) => [
      session,
      scores.reduce((sum, score) => sum + score, 0) / bestOfSession,
    ]),
  )
  return {
    name: 'session',
    reason: 'the best of its session',
    score: (slot) => weights.session * (means.get(scene.session(slot)) ?? 0),
  }
}

/** The best first. */
function takeBest(scores: number[], score: number): void {
  let at = scores.length
  while (at > 0 && (scores[at - 1] as number) < score) at -= 1
  if (at === bestOfSession) return
  scores.splice(at, 0, score)
  if (scores.length > bestOfSession) scores.pop()
}
