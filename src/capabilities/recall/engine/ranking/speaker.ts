import { trait } from '../text/traits.ts'
import type { Scene, Stage } from './scene.ts'
import { weights } from './weights.ts'

const user = 'user'
const assistant = 'assistant'
/** Words of a text that may be an instruction; what is longer holds such words by chance. */
const longestInstruction = 60

/** Who said it; not where all were said by the same. */
export function speakerStages(scene: Scene, pool: readonly number[]): readonly Stage[] {
  const [first = 0] = pool
  const isAlone = pool.every((slot) => scene.who(slot) === scene.who(first))
  const userSaid = (slot: number, bit: number) =>
    scene.who(slot) === user && (scene.traits(slot) & bit) !== 0
  return [
    {
      name: 'named',
      reason: 'who said it is named in the question',
      score: (slot) => (!isAlone && scene.isNamed(slot) ? weights.named : 0),
    },
    {
      name: 'assistant',
      reason: 'said to the user, not by the user',
      score: (slot) => (!isAlone && scene.who(slot) === assistant ? weights.assistant : 0),
    },
    {
      name: 'instruction',
      reason: 'the user asked for it to be so from then on',
      score: (slot) =>
        userSaid(slot, trait.instruction) && scene.words(slot) < longestInstruction
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
