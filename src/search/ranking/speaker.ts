import { trait } from '../text/traits.ts'
import type { RankingInput, Stage } from './ranking-input.ts'
import { weights } from './weights.ts'

const user = 'user'
const assistant = 'assistant'
/** Longer texts contain such words by chance. */
const maxInstructionWords = 60

/** Scores by speaker; only if there are several. */
export function speakerStages(input: RankingInput): readonly Stage[] {
  const { who, isNamedSpeaker, traits, words } = input
  const isSingleSpeaker = hasSingleSpeaker(input)
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
      score: (slot) => (!isSingleSpeaker && who[slot] === assistant ? weights.assistant : 0),
    },
    {
      name: 'instruction',
      reason: 'standing instruction of the user',
      score: (slot) =>
        userSaid(slot, trait.instruction) && (words[slot] as number) < maxInstructionWords
          ? weights.instruction
          : 0,
    },
    {
      name: 'preference',
      reason: 'preference of the user',
      score: (slot) => (userSaid(slot, trait.preference) ? weights.preference : 0),
    },
  ]
}

function hasSingleSpeaker({ rankedCount, who }: RankingInput): boolean {
  for (let slot = 1; slot < rankedCount; slot++) if (who[slot] !== who[0]) return false
  return true
}
