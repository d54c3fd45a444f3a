/** Texts of a conversation are short: their length and repetitions say less than those of documents. */
const k1 = 0.9
const b = 0.4

/** What a term gives at most, as a multiple of its rarity. */
export const maxTermFactor = k1 + 1

/** What BM25 adds below the line: the longer a text, the less each occurrence says. */
export function createLengthNorm(averageLength: number): {
  readonly base: number
  readonly step: number
} {
  return { base: k1 * (1 - b), step: (k1 * b) / averageLength }
}

/** BM25 of one text, given how often it holds each of the terms whose rarities these are. */
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

/** What BM25 calls inverse document frequency: how much it says that a text holds what so many of all hold. */
export function idf({
  documentFrequency,
  documentCount,
}: {
  readonly documentFrequency: number
  readonly documentCount: number
}): number {
  return Math.log(1 + (documentCount - documentFrequency + 0.5) / (documentFrequency + 0.5))
}
