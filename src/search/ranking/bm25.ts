/** Texts of a conversation are short: their length and repetitions say less than those of documents. */
const k1 = 0.9
const b = 0.4

/** What a term gives at most, as a multiple of its rarity. */
export const most = k1 + 1

/** What BM25 adds below the line: the longer a text, the less each occurrence says. */
export function createNorms(average: number): { readonly base: number; readonly step: number } {
  return { base: k1 * (1 - b), step: (k1 * b) / average }
}

/** BM25 of one text, given how often it holds each of the terms whose rarities these are. */
export function createBm25(rarities: readonly number[], average: number) {
  const norms = createNorms(average)
  return (counts: ArrayLike<number>, length: number): number => {
    const norm = norms.base + norms.step * length
    let sum = 0
    for (let place = 0; place < rarities.length; place++) {
      const counted = counts[place] as number
      if (counted > 0) sum += ((rarities[place] as number) * most * counted) / (counted + norm)
    }
    return sum
  }
}

/** What BM25 calls inverse document frequency: how much it says that a text holds what so many of all hold. */
export function rarityOf({
  holding,
  of,
}: {
  readonly holding: number
  readonly of: number
}): number {
  return Math.log(1 + (of - holding + 0.5) / (holding + 0.5))
}
