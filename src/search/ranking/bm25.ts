/** Messages are short, so length and repetition matter less than in documents. */
const k1 = 0.9
const b = 0.4

/** The maximum of the saturated term frequency. */
export const maxTermFactor = k1 + 1

/** The length normalization of the BM25 denominator. */
export function createLengthNorm(averageLength: number): {
  readonly base: number
  readonly step: number
} {
  return { base: k1 * (1 - b), step: (k1 * b) / averageLength }
}

/** BM25 of one text, from the frequencies of terms with these IDFs. */
export function createBm25(idfs: readonly number[], averageLength: number) {
  const lengthNorm = createLengthNorm(averageLength)
  return (counts: ArrayLike<number>, length: number): number => {
    const norm = lengthNorm.base + lengthNorm.step * length
    let sum = 0
    for (let index = 0; index < idfs.length; index++) {
      const termFrequency = counts[index] as number
      if (termFrequency > 0)
        sum += ((idfs[index] as number) * maxTermFactor * termFrequency) / (termFrequency + norm)
    }
    return sum
  }
}

/** Inverse document frequency. */
export function idf({
  documentFrequency,
  documentCount,
}: {
  readonly documentFrequency: number
  readonly documentCount: number
}): number {
  return Math.log(1 + (documentCount - documentFrequency + 0.5) / (documentFrequency + 0.5))
}
