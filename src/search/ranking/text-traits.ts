import { trait } from '../text/traits.ts'
import type { RankingInput, Stage } from './ranking-input.ts'
import { weights } from './weights.ts'

/** Words of a question, and of a remark, that is short. */
const shortQuestion = 12
const shortRemark = 5

/** What kind of text it is, whatever it is about. A note is as long as it has to be: only of what was said in a session does the length tell. */
export function textTraitStages(input: RankingInput): readonly Stage[] {
  const { words, session, queryTraits } = input
  const isDialogue = (slot: number) => session[slot] !== 0
  const hasTrait = (slot: number, bit: number) => ((input.traits[slot] as number) & bit) !== 0
  return [
    {
      name: 'question',
      reason: 'a short question itself',
      score: (slot) =>
        isDialogue(slot) && hasTrait(slot, trait.question)
          ? weights.question / (1 + ((words[slot] as number) / shortQuestion) ** 2)
          : 0,
    },
    {
      name: 'brevity',
      reason: 'a few words say little',
      score: (slot) =>
        isDialogue(slot) ? weights.brevity / (1 + (words[slot] as number) / shortRemark) : 0,
    },
    {
      name: 'time',
      reason: 'tells a time, which was asked for',
      score: (slot) => (hasTrait(slot, queryTraits & trait.time) ? weights.time : 0),
    },
    {
      name: 'number',
      reason: 'holds a number, which was asked for',
      score: (slot) => (hasTrait(slot, queryTraits & trait.number) ? weights.number : 0),
    },
  ]
}
