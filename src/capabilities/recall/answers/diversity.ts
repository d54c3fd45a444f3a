import { fold } from '../../../search/index.ts'
import type { Adjustment, AnswerHit } from './hit.ts'
import { compareTerms, isComparable, readSubjectTerms } from './subject.ts'

/** The forms of a question for several things, folded. */
const forms = {
  en: String.raw`(?:which|what) (?:[\p{L}-]{1,30} )?(?!does |goes )(?:[\p{L}-]{2,30}[^s\P{L}]s)(?= )|what (?:are|were) (?:the|our|all)|(?:everything|anything|all) (?:about|on|of|we know)|what do (?:we|you) know|list (?:all|the|every)|name all`,
  de: String.raw`welche(?= \p{L})|welches sind|alles (?:uber|zu|zum|zur)|was wissen wir|alle(?= \p{L})|liste`,
  es: 'cuales|que (?:[\\p{L}]{2,30}s)(?= )|todo (?:sobre|lo que)|tod[oa]s (?:los|las)|que sabemos|lista',
} as const
const spaced = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${Object.values(forms).join('|')})(?![\p{L}\p{N}])`,
  'u',
)
const chinese = /哪些|哪几|所有|全部|一切|有什么/u

export function isListQuestion(question: string): boolean {
  const text = fold(question)
  return spaced.test(text) || chinese.test(text)
}

/** The share of a score that an exact repetition of a better hit loses. */
const repetitionPenalty = 0.5
/** Dice coefficient from which a text repeats another. */
const minSimilarity = 0.3

/**
 * Maximal marginal relevance: a hit loses as much as it repeats hits that stand before it. Terms of
 * the query are no repetition.
 */
export function preferDiverse(hits: readonly AnswerHit[], query: string): readonly Adjustment[] {
  const queryTerms = readSubjectTerms(query)
  const terms = hits.map(
    ({ content }) =>
      new Set([...readSubjectTerms(content)].filter((term) => !queryTerms.has(term))),
  )
  const repetition = hits.map(() => 0)
  const adjustments: Adjustment[] = hits.map(() => undefined)
  const valueAt = (index: number) =>
    (hits[index]?.score ?? 0) * (1 - repetitionPenalty * (repetition[index] ?? 0))
  const remaining = new Set(hits.keys())
  while (remaining.size > 0) {
    const best = [...remaining].reduce((a, b) => (valueAt(b) > valueAt(a) ? b : a))
    remaining.delete(best)
    if (repetition[best])
      adjustments[best] = { score: valueAt(best), reason: 'repeats a row that stands before it' }
    for (const index of remaining) {
      const similarity = isComparable(hits[best], hits[index])
        ? compareTerms(terms[best], terms[index])
        : 0
      if (similarity >= minSimilarity)
        repetition[index] = Math.max(repetition[index] ?? 0, similarity)
    }
  }
  return adjustments
}
