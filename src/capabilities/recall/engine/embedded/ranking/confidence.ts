import type { Scene } from './scene.ts'
import { hintCap } from './weights.ts'

/** Cosines of texts that have nothing to do with one another stay below the first. */
const unrelated = 0.2
const alike = 0.7
/** How many of the best are asked how sure the answer is. */
const asked = 5
/** Less than this and nothing was found. */
export const floor = 0.08

/** How much a slot answers the question whatever else there is, 0 to 1. */
function confidenceOf(scene: Scene, slot: number): number {
  const near = Math.max(scene.vector(slot), scene.passage(slot))
  const meaning = Math.min(1, Math.max(0, (near - unrelated) / (alike - unrelated)))
  const words = Math.max(scene.coverage(slot), Math.min(hintCap, scene.hintCoverage(slot)))
  return 1 - (1 - words) * (1 - meaning)
}

/** Of the best rows, the surest. */
export function bestConfidence(scene: Scene, ranked: readonly number[]): number {
  return Math.max(0, ...ranked.slice(0, asked).map((slot) => confidenceOf(scene, slot)))
}
