import type { Scene, Stage } from './scene.ts'
import { weights } from './weights.ts'

const userNames = ['user', 'human']
/** Roles, not names: a question that holds the word means something else by it. */
const roles = [...userNames, 'assistant', 'system', 'agent', 'tool']
/** A question of so few terms says little by itself. */
const shortLength = 12

/** Who said it is named in the question; not where all were said by the same. */
export function scoreNamed(scene: Scene, slot: number, speakers: number): Stage {
  const who = scene.who(slot)
  const names = who.split(/[^\p{L}\p{N}]+/u).filter((name) => name.length > 1)
  const isNamed =
    speakers > 1 && !roles.includes(who) && names.some((name) => scene.asked.has(name))
  return { name: 'named', score: isNamed ? weights.named : 0, reason: `"${who}" is named` }
}

/** What the user said is preferred to what was said to the user. */
export function scoreUser(scene: Scene, slot: number): Stage {
  const isUser = userNames.includes(scene.who(slot))
  return { name: 'user', score: isUser ? weights.user : 0, reason: 'the user said so' }
}

export function scoreShortQuestion(scene: Scene, slot: number): Stage {
  const isShort = scene.asks(slot) && scene.length(slot) <= shortLength
  return {
    name: 'shortQuestion',
    score: isShort ? weights.shortQuestion : 0,
    reason: 'a short question itself',
  }
}
