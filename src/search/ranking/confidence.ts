import type { Scene } from './ranking-input.ts'
import { hintCap } from './weights.ts'

/** How much words and meaning count where both can be asked. */
const share = { words: 0.6, meaning: 0.4 }
/** Words of nearly the same meaning are nearly as sure. */
const softness = 0.9
/** Whoever is named has said something. */
const named = 0.4
/** How many of the best are asked how sure the answer is. */
const asked = 10
/** One question in a hundred that has an answer stays below, and many that have none. */
const floor = 0.26
/** Where the lack of evidence says nothing, an answer of little of it is told as one that is hardly sure. */
const leastSure = 0.1
/** Shares and cosines below these are found between texts that have nothing to do with one another. */
const related = { words: 0.5, meaning: 0.25 }

/** Of the best rows, how much the surest answers whatever else there is, 0 to 1; 0 when nothing does. */
export function bestConfidence(scene: Scene, ranked: readonly number[]): number {
  const evidence = Math.max(0, ...ranked.slice(0, asked).map((slot) => evidenceOf(scene, slot)))
  if (scene.isSure && evidence < floor) return 0
  return Math.sqrt(Math.min(1, Math.max(leastSure, evidence)))
}

/** Whether anything at all is common to the question and the slot: nearly every text is a little like any. */
export function isRelated(scene: Scene, slot: number): boolean {
  return (
    (scene.lexical[slot] as number) > 0 ||
    (scene.hint[slot] as number) > 0 ||
    scene.isNamed[slot] === 1 ||
    (scene.softCoverage[slot] as number) >= related.words ||
    cosineOf(scene, slot) >= related.meaning
  )
}

function evidenceOf(scene: Scene, slot: number): number {
  const words = Math.max(heldBy(scene, slot), hintCap * scene.hintCoverage(slot))
  const meaning = Math.max(cosineOf(scene, slot), 0)
  const evidence = scene.isSure ? share.words * words + share.meaning * meaning : words
  return Math.max(evidence, scene.isNamed[slot] === 1 ? named : 0)
}

/** How much of what is asked for a slot holds in its own words, 0 to 1. */
export function heldBy({ coverage, softCoverage }: Scene, slot: number): number {
  return Math.max(coverage(slot), softness * (softCoverage[slot] as number))
}

/** Of the whole or of the best passage, whichever is more. */
export function cosineOf({ vector, passage }: Scene, slot: number): number {
  return Math.max(vector[slot] as number, passage[slot] as number)
}
