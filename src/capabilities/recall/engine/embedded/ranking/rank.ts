import { bestConfidence, floor } from './confidence.ts'
import { meanOfSessions, scoreSession, scoreWindow } from './dialogue.ts'
import { scoreDirect, sumOf } from './direct.ts'
import type { Scene, Stage } from './scene.ts'
import { scoreNamed, scoreShortQuestion, scoreUser } from './speaker.ts'
import { hintCap } from './weights.ts'

export interface Ranked {
  readonly slot: number
  /** 0 to 1. */
  readonly score: number
  readonly source: 'hybrid' | 'vector' | 'keyword' | 'hint'
  readonly stages: readonly Stage[]
}

/** The slots of the pool that answer, the best first; none when the best answers nothing. */
export function rank(scene: Scene, pool: readonly number[]): Ranked[] {
  const direct = remember((slot) => scoreDirect(scene, slot))
  const directScore = (slot: number) => sumOf(direct(slot))
  const means = meanOfSessions(scene, pool, directScore)
  const speakers = new Set(pool.map(scene.who)).size
  const scored = pool.map((slot) => {
    const stages = [
      ...direct(slot),
      scoreWindow(scene, slot, directScore),
      scoreSession(means.get(scene.session(slot)) ?? 0),
      scoreNamed(scene, slot, speakers),
      scoreUser(scene, slot),
      scoreShortQuestion(scene, slot),
    ]
    return { slot, raw: sumOf(stages), stages: stages.filter(({ score }) => score !== 0) }
  })
  const ranked = scored
    .filter(({ raw }) => raw > 0)
    .toSorted((a, b) => b.raw - a.raw || scene.newestFirst(a.slot, b.slot))
  const slots = ranked.map(({ slot }) => slot)
  const confidence = bestConfidence(scene, slots)
  if (confidence < floor) return []
  const best = ranked[0]?.raw ?? 1
  return ranked.map(({ slot, raw, stages }) => {
    const source = sourceOf(scene, slot)
    const score = confidence * (raw / best)
    return { slot, source, stages, score: source === 'hint' ? Math.min(hintCap, score) : score }
  })
}

function sourceOf(scene: Scene, slot: number): Ranked['source'] {
  const lexical = scene.lexical(slot) > 0
  const vector = scene.vector(slot) > 0 || scene.passage(slot) > 0
  if (lexical) return vector ? 'hybrid' : 'keyword'
  if (scene.hint(slot) > 0) return 'hint'
  return vector ? 'vector' : 'keyword'
}

function remember<Value>(make: (slot: number) => Value): (slot: number) => Value {
  const made = new Map<number, Value>()
  return (slot) => {
    const there = made.get(slot)
    if (there !== undefined) return there
    const value = make(slot)
    made.set(slot, value)
    return value
  }
}
