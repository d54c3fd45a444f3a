import { bestConfidence, isRelated } from './confidence.ts'
import { sessionStage, windowStage } from './dialogue.ts'
import { directStages } from './direct.ts'
import { formStages } from './form.ts'
import { kinshipStage } from './kinship.ts'
import { remember, type Scene, type Stage, sumOf } from './scene.ts'
import { speakerStages } from './speaker.ts'
import { hintCap, usualAlpha } from './weights.ts'

/** So much below the best, a score counts half: what is found is never worth nothing. */
const halfAsGood = 2

export interface Ranked {
  readonly slot: number
  /** 0 to 1. */
  readonly score: number
  readonly source: 'hybrid' | 'vector' | 'keyword' | 'hint'
}

interface Asked {
  readonly limit: number
  readonly alpha?: number | undefined
}

export interface Ranking {
  /** The slots of the pool that answer best, the best first; none when the best answers nothing. */
  readonly ranked: readonly Ranked[]
  /** What each stage gave a slot, and why. */
  explain(
    slot: number,
  ): { readonly name: string; readonly score: number; readonly reason?: string }[]
}

export function rank(
  scene: Scene,
  pool: readonly number[],
  { limit, alpha = usualAlpha }: Asked,
): Ranking {
  const { stages, score } = createScore(scene, pool, alpha)
  const hasEvidence = createHasEvidence(scene)
  const ordered = pool
    .filter(hasEvidence)
    .sort((a, b) => score(b) - score(a) || scene.newestFirst(a, b))
  const confidence = bestConfidence(scene, ordered)
  const [first] = ordered
  const best = first === undefined ? 0 : score(first)
  const shareOf = (raw: number) => 1 / (1 + (best - raw) / halfAsGood)
  return {
    ranked:
      confidence === 0
        ? []
        : ordered
            .slice(0, limit)
            .map((slot) => toRanked(scene, slot, confidence * shareOf(score(slot)))),
    explain: (slot) =>
      stages
        .map(({ name, reason, score }) => ({ name, score: score(slot), ...(reason && { reason }) }))
        .filter(({ score }) => score !== 0),
  }
}

/** The stages, and their sum. */
function createScore(scene: Scene, pool: readonly number[], alpha: number) {
  const direct = directStages(scene, pool, alpha)
  const directScore = remember((slot) => sumOf(direct, slot))
  const window = windowStage(scene, directScore)
  const inWindow = remember((slot) => directScore(slot) + window.score(slot))
  const others = [
    sessionStage(scene, pool, inWindow),
    ...speakerStages(scene, pool),
    ...formStages(scene),
  ]
  const alone = remember((slot) => inWindow(slot) + sumOf(others, slot))
  const kinship = kinshipStage(scene, pool, alone)
  const stages: readonly Stage[] = [...direct, window, ...others, kinship]
  return { stages, score: remember((slot) => alone(slot) + kinship.score(slot)) }
}

function toRanked(scene: Scene, slot: number, score: number): Ranked {
  const source = sourceOf(scene, slot)
  return { slot, source, score: source === 'hint' ? Math.min(hintCap, score) : score }
}

function sourceOf(scene: Scene, slot: number): Ranked['source'] {
  const lexical = scene.lexical(slot) > 0
  const vector = scene.vector(slot) > 0 || scene.passage(slot) > 0
  if (lexical) return vector ? 'hybrid' : 'keyword'
  if (scene.hint(slot) > 0) return 'hint'
  return vector ? 'vector' : 'keyword'
}

/** A slot that only stands beside what was found answers when its neighbour does. */
function createHasEvidence(scene: Scene) {
  const isThere = remember((slot) => isRelated(scene, slot))
  const isBeside = (slot: number | undefined) => slot !== undefined && isThere(slot)
  return (slot: number) =>
    isThere(slot) || isBeside(scene.before(slot)) || isBeside(scene.after(slot))
}
