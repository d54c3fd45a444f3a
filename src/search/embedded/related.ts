import { relatedLimits } from '../ranking/weights.ts'
import type { TopKRequest } from './postings/max-score.ts'
import type { Postings } from './postings/postings.ts'

const { maxFrequency, maxTerms, maxRelated } = relatedLimits

/**
 * Texts that share rare terms with the best one, though not with the query: they may say what became
 * of somebody or something that it names.
 */
export function listRelated(
  words: Postings,
  best: number | undefined,
  { mask }: Pick<TopKRequest, 'mask'>,
): readonly number[] {
  if (best === undefined) return []
  const codes = words.codesOf(best)
  if (codes.length > maxTerms) return []
  const { frequencyAt, termAt } = words.vocabulary
  const isRare = (code: number) => frequencyAt(code) > 1 && frequencyAt(code) <= maxFrequency
  const rare = Array.from(codes).filter(isRare).map(termAt)
  return rare.length === 0 ? [] : words.topK(rare, { mask, count: maxRelated })
}
