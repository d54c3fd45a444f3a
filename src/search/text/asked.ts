import { isStopWord } from './stop-words.ts'
import { fold, readTerms } from './terms.ts'

interface Asked {
  readonly terms: readonly string[]
  /** Without names and function words. */
  readonly words: readonly string[]
}

/**
 * A name says who is meant: what was said is found by the other words. Where a question is nothing
 * but names, they are what is looked for.
 */
export function readAsked(text: string, names: ReadonlySet<string>): Asked {
  const words = [...(fold(text).match(/[\p{L}\p{N}\p{M}']+/gu) ?? [])]
  const isName = (word: string) => names.has(word.replace(/'s?$/, ''))
  const others = words.filter((word) => !isName(word))
  const kept = readTerms(others.join(' ')).length > 0 ? others : words
  return { terms: readTerms(kept.join(' ')), words: kept.filter((word) => !isStopWord(word)) }
}
