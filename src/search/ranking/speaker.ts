import { trait } from '../text/traits.ts'
import type { Scene, Stage } from './ranking-input.ts'
import { weights } from './weights.ts'

const user = 'user'
const assistant = 'assistant'
/** Words of a text that may be an instruction; what is longer holds such words by chance. */
const longestInstruction = 60

/** Who said it; not where all were said by the same. */
export function speakerStages(scene: Scene): readonly Stage[] {
  const { who, isNamed, traits, words } = scene
  const isAlone = isSaidByOne(scene)
  const userSaid = (slot: number, bit: number) =>
    who[slot] === user && ((traits[slot] as number) & bit) !== 0
  return [
    {
      name: 'named',
      reason: 'who said it is named in the question',
      score: (slot) => (!isAlone && isNamed[slot] === 1 ? weights.named : 0),
    },
    {
      name: 'assistant',
      reason: 'said to the user, not by the user',
      score: (slot) => (!isAlone && who[slot] === assistant ? weights.assistant : 0),
    },
    {
      name: 'instruction',
      reason: 'the user asked for it to be so from then on',
      score: (slot) =>
        userSaid(slot, trait.instruction) && (words[slot] as number) < longestInstruction
          ? weights.instruction
          : 0,
    },
    {
      name: 'preference',
      reason: 'the user prefers it so',
      score: (slot) => (userSaid(slot, trait.preference) ? weights.preference : 0),
    },
  ]
}

function isSaidByOne({ ranked, who }: Scene): boolean {
  for (let slot = 1; slot < ranked; slot++) if (who[slot] !== who[0]) return false
  return true
}
