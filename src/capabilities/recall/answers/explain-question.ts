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
  /** Words of the query, and the words of the hits that mean the same. */
  readonly translations: QuestionExplanation['corrections']
  /** The time that the question names; null on an open side. The end is exclusive. */
  readonly timeRange: { readonly start: string | null; readonly end: string | null } | null
}

type ExplainedQuestion = Pick<AnswerQuestion, 'query' | 'range' | 'corrections'> & {
  readonly translations: AnswerQuestion['corrections']
}

/** A replacement that no hit has may come from a memory that the caller cannot read. */
export function explainQuestion(
  { query, range, corrections, translations }: ExplainedQuestion,
  hits: readonly Pick<AnswerHit, 'content'>[],
): QuestionExplanation {
  const queryWords = splitWords(fold(query))
  const hitWords = corrections.length + translations.length > 0 ? listWords(hits) : []
  const explain = (replacements: ExplainedQuestion['corrections']) => {
    const byTerm = Map.groupBy(
      replacements,
      ({ from }) => queryWords.find((word) => isWordOf(from, word)) ?? from,
    )
    return [...byTerm].flatMap(([term, pairs]) => {
      const replacements = hitWords.filter((word) => pairs.some(({ to }) => isWordOf(to, word)))
      return replacements.length > 0 ? [{ term, replacements }] : []
    })
  }
  return {
    corrections: explain(corrections),
    translations: explain(translations),
    timeRange: range ? { start: range.start ?? null, end: range.end ?? null } : null,
  }
}

function listWords(hits: readonly Pick<AnswerHit, 'content'>[]): readonly string[] {
  return [...new Set(hits.flatMap(({ content }) => splitWords(fold(content))))]
}

function isWordOf(term: string, word: string): boolean {
  return word === term || readTerms(word).includes(term)
}
