import { listUnspacedRuns } from '../../hooks/index.ts'
import { toPhrase, toStem } from '../name.ts'
import { isFunctionWord } from '../quality.ts'

const maxPhraseWords = 5
const maxWords = 400
const maxPhrases = 3_000
const minWordLength = 4

/** What may be the name of an entity in a text. */
export interface NameCandidates {
  readonly phrases: readonly string[]
  /** Longer words, which may be a part of a name. */
  readonly words: readonly string[]
  /** Words about the entities of the text. */
  readonly stems: readonly string[]
}

export function listNameCandidates(text: string): NameCandidates {
  const normalized = toPhrase(text)
  const words = normalized.split(' ').slice(0, maxWords)
  const runs = words.flatMap((_, start) =>
    Array.from({ length: Math.min(maxPhraseWords, words.length - start) }, (_, length) =>
      words.slice(start, start + length + 1).join(' '),
    ),
  )
  const content = words.filter((word) => word !== '' && !isFunctionWord(word))
  return {
    phrases: [...new Set([...runs, ...listUnspacedRuns(normalized)])]
      .filter((phrase) => phrase !== '')
      .slice(0, maxPhrases),
    words: [...new Set(content.filter((word) => [...word].length >= minWordLength))],
    stems: [...new Set(content.map(toStem))],
  }
}
