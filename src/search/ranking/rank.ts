import type { EngineCandidate, EngineQuery } from '../engine.ts'
import { bestConfidence, cosineOf, isRelated } from './confidence.ts'
import { sessionStage, windowStage } from './dialogue.ts'
import { directStages } from './direct.ts'
import { type Column, nobody, type Scene, type Stage, sumOf } from './ranking-input.ts'
import { speakerStages } from './speaker.ts'
import { kinshipStage } from './term-overlap.ts'
import { formStages } from './text-traits.ts'
import { hintCap, usualAlpha } from './weights.ts'

/** So much below the best, a score counts half: what is found is never worth nothing. */
const halfAsGood = 2

interface Ranked {
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
  /** The slots that answer best, the best first; none when the best answers nothing. */
  readonly ranked: readonly Ranked[]
  /** What each stage gave a slot, and why. */
  explain(
    slot: number,
  ): { readonly name: string; readonly score: number; readonly reason?: string }[]
}

export function rank(scene: Scene, { limit, alpha = usualAlpha }: Asked): Ranking {
  const { stages, scores } = addUp(scene, alpha)
  const scoreOf = (slot: number) => scores[slot] as number
  const ordered = listRelated(scene).sort(
    (a, b) => scoreOf(b) - scoreOf(a) || scene.newestFirst(a, b),
  )
  const confidence = bestConfidence(scene, ordered)
  const [first] = ordered
  const best = first === undefined ? 0 : scoreOf(first)
  const shareOf = (raw: number) => 1 / (1 + (best - raw) / halfAsGood)
  return {
    ranked:
      confidence === 0
        ? []
        : ordered
            .slice(0, limit)
            .map((slot) => toRanked(scene, slot, confidence * shareOf(scoreOf(slot)))),
    explain: (slot) =>
      stages
        .map(({ name, reason, score }) => ({ name, score: score(slot), ...(reason && { reason }) }))
        .filter(({ score }) => score !== 0),
  }
}

/** The stages, and what they give each slot together. */
function addUp(scene: Scene, alpha: number) {
  const { ranked, counted } = scene
  const direct = directStages(scene, alpha)
  const directScores = sumOf(direct, counted)
  const window = windowStage(scene, directScores)
  const inWindow = plus(directScores, sumOf([window], ranked))
  const others = [sessionStage(scene, inWindow), ...speakerStages(scene), ...formStages(scene)]
  const alone = plus(inWindow, sumOf(others, ranked))
  const kinship = kinshipStage(scene, alone)
  const stages: readonly Stage[] = [...direct, window, ...others, kinship]
  return { stages, scores: plus(alone, sumOf([kinship], ranked)) }
}

/** Of as many slots as there is more for. */
function plus(scores: Column, more: Float64Array): Float64Array {
  return more.map((score, slot) => (scores[slot] as number) + score)
}

function toRanked(scene: Scene, slot: number, score: number): Ranked {
  const source = sourceOf(scene, slot)
  return { slot, source, score: source === 'hint' ? Math.min(hintCap, score) : score }
}

function sourceOf({ lexical, vector, passage, hint }: Scene, slot: number): Ranked['source'] {
  const isAbove = (column: Column) => (column[slot] as number) > 0
  const isNear = isAbove(vector) || isAbove(passage)
  if (isAbove(lexical)) return isNear ? 'hybrid' : 'keyword'
  if (isAbove(hint)) return 'hint'
  return isNear ? 'vector' : 'keyword'
}

/** A slot that only stands beside what was found answers when its neighbour does. */
function listRelated(scene: Scene): number[] {
  const isThere = (slot: number) => slot !== nobody && isRelated(scene, slot)
  const related: number[] = []
  for (let slot = 0; slot < scene.ranked; slot++)
    if (
      isThere(slot) ||
      isThere(scene.before[slot] as number) ||
      isThere(scene.after[slot] as number)
    )
      related.push(slot)
  return related
}

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
