import { trait } from '../text/traits.ts'
import { type Column, nobody, type Scene, type Stage } from './ranking-input.ts'
import { weigh, weights } from './weights.ts'

const bestOfSession = 3

/** What was said just before and after it belongs to it. */
export function windowStage(scene: Scene, direct: Column): Stage {
  return {
    name: 'window',
    reason: 'what was said before and after it',
    score: (slot) => {
      const words = scene.words[slot] as number
      const window = weigh(weights.window, words)
      const before = scene.before[slot] as number
      const after = scene.after[slot] as number
      const follows = before === nobody ? 0 : window + answered(scene, before, words)
      return (
        (before === nobody ? 0 : follows * (direct[before] as number)) +
        (after === nobody ? 0 : window * (direct[after] as number))
      )
    },
  }
}

function answered(scene: Scene, before: number, words: number): number {
  return (scene.traits[before] as number) & trait.asks ? weigh(weights.answered, words) : 0
}

/** A session with good answers has more of them: the mean of its three best. */
export function sessionStage({ session: sessionOf, ranked }: Scene, inWindow: Column): Stage {
  const best = new Map<number, number[]>()
  for (let slot = 0; slot < ranked; slot++) {
    const session = sessionOf[slot] as number
    if (session === 0) continue
    const scores = best.get(session)
    if (scores) takeBest(scores, inWindow[slot] as number)
    else best.set(session, [inWindow[slot] as number])
  }
  const means = new Map<number, number>()
  for (const [session, scores] of best)
    means.set(session, scores.reduce((sum, score) => sum + score, 0) / bestOfSession)
  return {
    name: 'session',
    reason: 'the best of its session',
    score: (slot) => weights.session * (means.get(sessionOf[slot] as number) ?? 0),
  }
}

/** The best first. */
function takeBest(scores: number[], score: number): void {
  let at = scores.length
  if (at === bestOfSession && (scores[--at] as number) >= score) return
  for (; at > 0 && (scores[at - 1] as number) < score; at--) scores[at] = scores[at - 1] as number
  scores[at] = score
}
