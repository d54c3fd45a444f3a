import { isStopWord } from './stop-words.ts'
import { fold, readTerms } from './terms.ts'

interface ParsedQuery {
  readonly terms: readonly string[]
  /** Without names and stop words. */
  readonly words: readonly string[]
}

/** Removes names from the query, because they select the speaker; a query of names only keeps them. */
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

/** Roles are not names. */
const roles: readonly string[] = ['user', 'assistant', 'human', 'system', 'agent', 'tool', 'daemon']
const words = /[\p{L}\p{N}]+/gu
const minNameLength = 2

/** Words of a folded speaker name; none for a role. */
export function speakerNameWords(who: string): readonly string[] {
  return roles.includes(who) ? [] : wordsOf(who)
}

/** Words of a question that may be names. */
export function queryNameWords(question: string): readonly string[] {
  return wordsOf(fold(question))
}

function wordsOf(text: string): readonly string[] {
  return (text.match(words) ?? []).filter(({ length }) => length >= minNameLength)
}
