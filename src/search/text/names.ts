import { fold } from './terms.ts'

/** Roles, not names: a question that holds the word means something else by it. */
const roles: readonly string[] = ['user', 'assistant', 'human', 'system', 'agent', 'tool', 'daemon']
const words = /[\p{L}\p{N}]+/gu
const shortestName = 2

/** The words by which somebody is named, of a folded `who`; a role has none. */
export function readNames(who: string): readonly string[] {
  return roles.includes(who) ? [] : wordsOf(who)
}

/** The words of a question that may be names. */
export function readNameWords(question: string): readonly string[] {
  return wordsOf(fold(question))
}

function wordsOf(text: string): readonly string[] {
  return (text.match(words) ?? []).filter(({ length }) => length >= shortestName)
}
