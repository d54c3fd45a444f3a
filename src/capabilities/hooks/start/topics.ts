import { termsOf } from './text-terms.ts'

/** Texts that contain a term before it is a topic. */
const minTexts = 3
/** Terms in a larger share of the texts are ignored. */
const maxShare = 0.3
/** A shorter text has no higher rate for its length. */
const minTerms = 6
/** 0 prefers long texts, 1 short ones. */
const lengthExponent = 0.85

/** Rates texts by the topics that recur in a sample: 0 for none, 1 for the most in the sample. */
export function rateTopics(sample: readonly string[]): (text: string) => number {
  const texts = sample.map(termsOf)
  const counts = new Map<string, number>()
  for (const terms of texts) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const limit = Math.max(minTexts, maxShare * sample.length)
  const topics = new Set(
    [...counts]
      .filter(([term, count]) => count >= minTexts && count <= limit && !/^\d+$/.test(term))
      .map(([term]) => term),
  )
  const rate = (terms: ReadonlySet<string>) => {
    const shared = [...terms].filter((term) => topics.has(term)).length
    return shared / Math.max(minTerms, terms.size) ** lengthExponent
  }
  const best = Math.max(...texts.map(rate), 0)
  return (text) => (best === 0 ? 0 : Math.min(1, rate(termsOf(text)) / best))
}
