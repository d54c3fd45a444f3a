import { trait } from '../text/query.ts'
import type { Column, RankingInput, Stage } from './ranking-input.ts'
import { weights } from './weights.ts'

/** Word counts of a short question and a short remark. */
const shortQuestion = 12
const shortRemark = 5

/** Scores by the form of the text. Length counts for messages of a session only. */
export function textTraitStages(input: RankingInput): readonly Stage[] {
  const { words, session, queryTraits } = input
  const isDialogue = (slot: number) => session[slot] !== 0
  const hasTrait = (slot: number, bit: number) => ((input.traits[slot] as number) & bit) !== 0
  return [
    {
      name: 'question',
      reason: 'short question',
      score: (slot) =>
        isDialogue(slot) && hasTrait(slot, trait.question)
          ? weights.question / (1 + ((words[slot] as number) / shortQuestion) ** 2)
          : 0,
    },
    {
      name: 'brevity',
      reason: 'few words',
      score: (slot) =>
        isDialogue(slot) ? weights.brevity / (1 + (words[slot] as number) / shortRemark) : 0,
    },
    {
      name: 'time',
      reason: 'contains a time, as the query asks',
      score: (slot) => (hasTrait(slot, queryTraits & trait.time) ? weights.time : 0),
    },
    {
      name: 'number',
      reason: 'contains a number, as the query asks',
      score: (slot) => (hasTrait(slot, queryTraits & trait.number) ? weights.number : 0),
    },
  ]
}

export const user = 'user'
export const assistant = 'assistant'
/** Longer texts contain such words by chance. */
const maxInstructionWords = 60

/** Scores by speaker; only if there are several. */
export function speakerStages(input: RankingInput): readonly Stage[] {
  const { who, isNamedSpeaker, traits, queryTraits } = input
  const isSingleSpeaker = hasSingleSpeaker(input)
  const asksAssistant = (queryTraits & trait.advice) !== 0
  const preference = asksHelp(input) ? weights.helpPreference : weights.preference
  const userSaid = (slot: number, bit: number) =>
    who[slot] === user && ((traits[slot] as number) & bit) !== 0
  return [
    {
      name: 'named',
      reason: 'the query names the speaker',
      score: (slot) => (!isSingleSpeaker && isNamedSpeaker[slot] === 1 ? weights.named : 0),
    },
    {
      name: 'assistant',
      reason: 'message of the assistant',
      score: (slot) =>
        !isSingleSpeaker && !asksAssistant && who[slot] === assistant ? weights.assistant : 0,
    },
    {
      name: 'instruction',
      reason: 'standing instruction of the user',
      score: (slot) =>
        !asksReport(queryTraits) && isInstruction(input, slot) ? weights.instruction : 0,
    },
    {
      name: 'preference',
      reason: 'preference of the user',
      score: (slot) => (userSaid(slot, trait.preference) ? preference : 0),
    },
  ]
}

/** Whether a question wants what depends on how the user likes things to be done. */
export function asksHelp({ queryTraits }: RankingInput): boolean {
  return (queryTraits & trait.help) !== 0 && !asksReport(queryTraits)
}

/** A summary, an order or what the user has done, which no wish of the user changes. */
export function asksReport(queryTraits: number): boolean {
  return (queryTraits & (trait.summary | trait.order | trait.history)) !== 0
}

/** Whether the user states in few words how things are to be done. */
export function isInstruction({ who, traits, words }: RankingInput, slot: number): boolean {
  const hasTrait = ((traits[slot] as number) & trait.instruction) !== 0
  return who[slot] === user && hasTrait && (words[slot] as number) < maxInstructionWords
}

function hasSingleSpeaker({ rankedCount, who }: RankingInput): boolean {
  for (let slot = 1; slot < rankedCount; slot++) if (who[slot] !== who[0]) return false
  return true
}

/** A note with more distinct terms covers too many topics. */
export const maxNoteTerms = 512

/**
 * Some questions need two notes: one that matches, and one about the same subject. Notes have no
 * session, so that shared terms (Dice coefficient) relate them.
 */
export function termOverlapStage(input: RankingInput, scores: Column): Stage {
  const best = findBest(input, scores)
  const termsOf = (slot: number) => {
    const terms = input.session[slot] === 0 ? input.terms(slot) : []
    return terms.length > maxNoteTerms ? [] : terms
  }
  const overlapWith = createDice(best === undefined ? [] : termsOf(best))
  return {
    name: 'kinship',
    reason: 'shares terms with the best note',
    score: (slot) => weights.termOverlap * overlapWith(termsOf(slot)),
  }
}

function findBest({ rankedCount, byRecency }: RankingInput, scores: Column): number | undefined {
  let best = 0
  for (let slot = 1; slot < rankedCount; slot++) {
    const more = (scores[slot] as number) - (scores[best] as number)
    if ((more || byRecency(best, slot)) > 0) best = slot
  }
  return rankedCount === 0 ? undefined : best
}

function createDice(terms: ArrayLike<string | number>) {
  const bestTerms = new Set(Array.from(terms))
  return (others: ArrayLike<string | number>): number => {
    let shared = 0
    for (let at = 0; at < others.length; at++)
      if (bestTerms.has(others[at] as string | number)) shared++
    return shared === 0 ? 0 : (2 * shared) / (bestTerms.size + others.length)
  }
}
