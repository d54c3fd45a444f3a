import { trait } from '../text/query.ts'
import { bestCosine } from './confidence.ts'
import { type Column, noNeighbour, type RankingInput, type Stage } from './ranking-input.ts'
import { asksHelp, asksReport, assistant, isInstruction, user } from './text-traits.ts'
import { interpolateWeight, weights } from './weights.ts'

const hitsPerSession = 3
/** Longer pauses separate notes of one session. */
const maxPauseMs = 600_000

/** Whether a session neighbour is by another speaker and from about the same time. */
export function isTurn({ before, after, who, createdAt }: RankingInput, slot: number): boolean {
  const answers = (other: number) =>
    other !== noNeighbour &&
    who[other] !== who[slot] &&
    Math.abs(createdAt(other) - createdAt(slot)) <= maxPauseMs
  return answers(before[slot] as number) || answers(after[slot] as number)
}

/** Adds scores of the previous and next message. */
export function windowStage(input: RankingInput, direct: Column): Stage {
  return {
    name: 'window',
    reason: 'scores of session neighbours',
    score: (slot) => {
      const words = input.words[slot] as number
      const window = interpolateWeight(weights.window, words)
      const before = input.before[slot] as number
      const after = input.after[slot] as number
      const follows = before === noNeighbour ? 0 : window + questionBonus(input, before, words)
      return (
        (before === noNeighbour ? 0 : follows * (direct[before] as number)) +
        (after === noNeighbour ? 0 : window * (direct[after] as number))
      )
    },
  }
}

function questionBonus(input: RankingInput, before: number, words: number): number {
  return (input.traits[before] as number) & trait.question
    ? interpolateWeight(weights.answered, words)
    : 0
}

/** Adds the mean of the three best scores of the session. */
export function sessionStage(
  { session: sessionOf, rankedCount }: RankingInput,
  windowScores: Column,
): Stage {
  const best = new Map<number, number[]>()
  for (let slot = 0; slot < rankedCount; slot++) {
    const session = sessionOf[slot] as number
    if (session === 0) continue
    const scores = best.get(session)
    if (scores) insertTopScore(scores, windowScores[slot] as number)
    else best.set(session, [windowScores[slot] as number])
  }
  const means = new Map<number, number>()
  for (const [session, scores] of best)
    means.set(session, scores.reduce((sum, score) => sum + score, 0) / hitsPerSession)
  return {
    name: 'session',
    reason: 'best scores of its session',
    score: (slot) => weights.session * (means.get(sessionOf[slot] as number) ?? 0),
  }
}

/** Descending. */
function insertTopScore(scores: number[], score: number): void {
  let at = scores.length
  if (at === hitsPerSession && (scores[--at] as number) >= score) return
  for (; at > 0 && (scores[at - 1] as number) < score; at--) scores[at] = scores[at - 1] as number
  scores[at] = score
}

/** A reply stands right behind its message. */
const replyDistance = 0.001

/** In a summary, a reply counts as much as its message. */
export function replyStage({ before, queryTraits, who }: RankingInput, scores: Column): Stage {
  const isSummary = (queryTraits & trait.summary) !== 0
  return {
    name: 'reply',
    reason: 'reply to a message that matches',
    score: (slot) => {
      const message = before[slot] as number
      if (!isSummary || message === noNeighbour || who[slot] !== assistant) return 0
      if (who[message] !== user || scores[message] === undefined) return 0
      return Math.max(0, (scores[message] as number) - replyDistance - (scores[slot] as number))
    },
  }
}

/** The places behind which the nearest standing instructions of the user do not stand. */
const instructionPlaces = [8, 8]
/** A question for help needs its instruction more than the other answers. */
const helpInstructionPlaces = [3, 8]

/**
 * A standing instruction of the user applies to a question whose words it often lacks. Its meaning
 * tells which one does: its neighbours have other subjects.
 */
export function instructionStage(
  input: RankingInput,
  scores: Column,
  relevant: readonly number[],
): Stage {
  const scoreOf = (slot: number) => scores[slot] as number
  const byScore = (a: number, b: number) => scoreOf(b) - scoreOf(a)
  const byMeaning = (a: number, b: number) =>
    bestCosine(input, b) - bestCosine(input, a) || byScore(a, b)
  const found = asksReport(input.queryTraits)
    ? []
    : relevant.filter((slot) => isInstruction(input, slot)).sort(byMeaning)
  const ordered = found.length === 0 ? [] : relevant.toSorted(byScore)
  const places = asksHelp(input) ? helpInstructionPlaces : instructionPlaces
  const targets = new Map(
    places.flatMap((place, rank) => {
      const [slot, other] = [found[rank], ordered[place - 1]]
      return slot === undefined || other === undefined ? [] : [[slot, scoreOf(other)] as const]
    }),
  )
  return {
    name: 'standing instruction',
    reason: 'the standing instruction nearest to the query',
    score: (slot) => Math.max(0, (targets.get(slot) ?? Number.NEGATIVE_INFINITY) - scoreOf(slot)),
  }
}
