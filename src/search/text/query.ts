import { isStopWord } from './stop-words.ts'
import { fold, readTerms } from './terms.ts'

interface ParsedQuery {
  readonly terms: readonly string[]
  /** Without names and function words. */
  readonly words: readonly string[]
}

/**
 * A name says who is meant: what was said is found by the other words. Where a question is nothing
 * but names, they are what is looked for.
 */
export function parseQuery(text: string, names: ReadonlySet<string>): ParsedQuery {
  const words = [...(fold(text).match(/[\p{L}\p{N}\p{M}']+/gu) ?? [])]
  const isName = (word: string) => names.has(word.replace(/'s?$/, ''))
  const otherWords = words.filter((word) => !isName(word))
  const searchedWords = readTerms(otherWords.join(' ')).length > 0 ? otherWords : words
  return {
    terms: readTerms(searchedWords.join(' ')),
    words: searchedWords.filter((word) => !isStopWord(word)),
  }
}

/** Roles, not names: a question that holds the word means something else by it. */
const roles: readonly string[] = ['user', 'assistant', 'human', 'system', 'agent', 'tool', 'daemon']
const words = /[\p{L}\p{N}]+/gu
const minNameLength = 2

/** The words by which somebody is named, of a folded `who`; a role has none. */
export function speakerNameWords(who: string): readonly string[] {
  return roles.includes(who) ? [] : wordsOf(who)
}

/** The words of a question that may be names. */
export function queryNameWords(question: string): readonly string[] {
  return wordsOf(fold(question))
}

function wordsOf(text: string): readonly string[] {
  return (text.match(words) ?? []).filter(({ length }) => length >= minNameLength)
}
