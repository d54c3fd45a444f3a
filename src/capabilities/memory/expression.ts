/** How the hits of an FTS5 expression are ordered: by BM25, or newest first when BM25 is too expensive. */
export type Ranking = 'best' | 'newest'

/** A longer query is plain text, not an expression. */
const maxWords = 64

/** BM25 costs minutes when a query repeats one word many times and a memory is long. */
const maxRepeats = 6

/** `NEAR` costs as much, even unranked. */
const nearOperator = /NEAR\s*\(/

/** Chooses the ranking of an expression. Returns undefined for an invalid one. */
export function chooseRanking(expression: string): Ranking | undefined {
  // FTS5 stops reading at a NUL.
  if (expression.includes('\0')) return undefined
  // FTS5 runs its own commands after a leading `*`.
  if (expression.startsWith('*')) return undefined
  const words = splitWords(expression)
  if (words.length > maxWords) return undefined
  const matches = expression.includes('*') ? overlap : (a: string, b: string) => a === b
  const repeats = words.filter((word, index) =>
    words.slice(0, index).some((earlier) => matches(word, earlier)),
  )
  if (repeats.length <= maxRepeats) return 'best'
  return nearOperator.test(expression) ? undefined : 'newest'
}

/** Splits and case-folds as the index does. */
export function splitWords(text: string): string[] {
  const folded = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ')
  return folded.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []
}

/** Whether one prefix is a prefix of the other. */
function overlap(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a)
}
