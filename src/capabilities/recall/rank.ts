/** Hints are derived, so alone they never count as much as the words of the memory itself. */
export const hintCap = 0.75

/** A text with less than this share of the question's words is weaker in proportion. */
const wellCovered = 0.25

/** How strong each stage found a memory, as a share of the stage's best; 0 when it did not. */
export interface Evidence {
  readonly text: number
  readonly hint: number
}

export interface Scored {
  readonly score: number
  readonly source: 'keyword' | 'hint'
}

/**
 * The best of nothing is not an answer: what the words found is scaled down when even the best row
 * holds only a few of those asked for. `coverage` is that row's share of them, 0..1.
 */
export function toScored({ text, hint }: Evidence, coverage: number): Scored {
  const keyword = text * Math.min(1, coverage / wellCovered)
  const hinted = Math.min(hintCap, hint)
  return hinted > 0 && hinted >= keyword
    ? { score: hinted, source: 'hint' }
    : { score: keyword, source: 'keyword' }
}
