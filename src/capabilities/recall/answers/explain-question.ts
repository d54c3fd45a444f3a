import { fold, readTerms, splitWords } from '../../../search/index.ts'
import type { AnswerHit } from './hit.ts'
import type { AnswerQuestion } from './rank-answers.ts'

/** What was read from a question. */
export interface QuestionExplanation {
  /** Misspelt words, and the words of the hits that were searched instead. */
  readonly corrections: readonly {
    readonly term: string
    readonly replacements: readonly string[]
  }[]
  /** The time that the question names; null on an open side. The end is exclusive. */
  readonly timeRange: { readonly start: string | null; readonly end: string | null } | null
}

/** A replacement that no hit has may come from a memory that the caller cannot read. */
export function explainQuestion(
  { query, range, corrections }: Pick<AnswerQuestion, 'query' | 'range' | 'corrections'>,
  hits: readonly Pick<AnswerHit, 'content'>[],
): QuestionExplanation {
  const queryWords = splitWords(fold(query))
  const hitWords = corrections.length > 0 ? listWords(hits) : []
  return {
    corrections: corrections.flatMap(({ from, to }) => {
      const term = queryWords.find((word) => isWordOf(from, word)) ?? from
      const replacements = hitWords.filter((word) => isWordOf(to, word))
      return replacements.length > 0 ? [{ term, replacements }] : []
    }),
    timeRange: range ? { start: range.start ?? null, end: range.end ?? null } : null,
  }
}

function listWords(hits: readonly Pick<AnswerHit, 'content'>[]): readonly string[] {
  return [...new Set(hits.flatMap(({ content }) => splitWords(fold(content))))]
}

function isWordOf(term: string, word: string): boolean {
  return word === term || readTerms(word).includes(term)
}
