/** How an expression of the index is ranked: by BM25, or newest first where that is too dear. */
export type Ranking = 'best' | 'newest'

/** What has more words is a text, whatever its signs. */
const mostWords = 64

/** Ranking looks at every word for every place of each: one said over and over costs minutes in a long memory. */
const mostRepeats = 6

/** So does what asks for words close together, even unranked. */
const closeness = /NEAR\s*\(/

/** How what an expression of the index finds is to be ranked; undefined for what is none. */
export function rankingOf(expression: string): Ranking | undefined {
  // The index would read no further.
  if (expression.includes('\0')) return undefined
  // The index would tell of itself.
  if (expression.startsWith('*')) return undefined
  const words = splitWords(expression)
  if (words.length > mostWords) return undefined
  const meets = expression.includes('*') ? overlap : (one: string, other: string) => one === other
  const repeats = words.filter((word, index) =>
    words.slice(0, index).some((earlier) => meets(word, earlier)),
  )
  if (repeats.length <= mostRepeats) return 'best'
  return closeness.test(expression) ? undefined : 'newest'
}

/** As the index splits and folds them. */
export function splitWords(text: string): string[] {
  const folded = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ')
  return folded.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []
}

/** Two beginnings of words, where what begins with one may begin with the other. */
function overlap(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one)
}
