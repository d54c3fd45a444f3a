import { detectLanguage } from './function-words.ts'
import { createLexicon, type Translation } from './lexicon/lexicon.ts'
import { listContentWords, splitWords } from './query.ts'
import { dropReportWords } from './report-words.ts'
import { fold, isStopWord, readTerms } from './terms.ts'

interface ParsedQuery {
  readonly terms: readonly string[]
  /** Without names and stop words. */
  readonly words: readonly string[]
  /** Terms of the same meaning. */
  readonly translations: readonly Translation[]
}

const lexicon = createLexicon()

/**
 * Removes function words, which name nothing, and speaker names, which select the speaker. A query
 * of such words only keeps them.
 */
export function parseQuery(text: string, names: ReadonlySet<string>): ParsedQuery {
  const words = splitWords(fold(text))
  const contentWords = listContentWords(words)
  const otherWords = contentWords.filter((word) => !names.has(word.replace(/'s?$/, '')))
  const searchedWords =
    [dropReportWords(text, otherWords), otherWords, contentWords].find(
      (list) => readTerms(list.join(' ')).length > 0,
    ) ?? words
  const language = detectLanguage(words)
  return {
    terms: readTerms(searchedWords.join(' ')),
    words: searchedWords.filter((word) => !isStopWord(word)),
    translations: searchedWords.flatMap((word) => lexicon.translate(word, language)),
  }
}
