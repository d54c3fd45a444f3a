import { trait } from '../text/traits.ts'
import type { RankingInput, Stage } from './ranking-input.ts'
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
