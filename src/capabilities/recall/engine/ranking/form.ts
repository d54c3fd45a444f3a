import { trait } from '../text/traits.ts'
import type { Scene, Stage } from './scene.ts'
import { weights } from './weights.ts'

/** Words of a question, and of a remark, that is short. */
const shortQuestion = 12
const shortRemark = 5

/** What kind of text it is, whatever it is about. A note is as long as it has to be: only of what was said in a session does the length tell. */
export function formStages(scene: Scene): readonly Stage[] {
  const isSaid = (slot: number) => scene.session(slot) !== 0
  const wanted = (slot: number, bit: number) => (scene.wanted & scene.traits(slot) & bit) !== 0
  return [
    {
      name: 'question',
      reason: 'a short question itself',
      score: (slot) =>
        isSaid(slot) && scene.traits(slot) & trait.asks
          ? weights.question / (1 + (scene.words(slot) / shortQuestion) ** 2)
          : 0,
    },
    {
      name: 'brevity',
      reason: 'a few words say little',
      score: (slot) => (isSaid(slot) ? weights.brevity / (1 + scene.words(slot) / shortRemark) : 0),
    },
    {
      name: 'time',
      reason: 'tells a time, which was asked for',
      score: (slot) => (wanted(slot, trait.time) ? weights.time : 0),
    },
    {
      name: 'number',
      reason: 'holds a number, which was asked for',
      score: (slot) => (wanted(slot, trait.number) ? weights.number : 0),
    },
  ]
}
