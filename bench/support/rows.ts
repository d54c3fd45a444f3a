const vocabularySize = 8_000
const contentLength = 200

/** A seeded random generator (mulberry32) that is identical on every machine. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface Rows {
  /**
   * Returns about 200 characters of invented words with the frequencies of natural language, all
   * different.
   */
  content(number: number): string
  /** Returns a query of three words that the contents use. */
  question(number: number): string
}

/** Row and question n are always the same, whatever was read before. */
export function createRows(): Rows {
  const words = Array.from({ length: vocabularySize }, (_, rank) => wordOf(rank))
  const weights = words.map((_, rank) => 1 / (rank + 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let reached = 0
  const upTo = weights.map((weight) => {
    reached += weight / total
    return reached
  })
  const pick = (chance: number) => words[firstAbove(upTo, chance)] ?? ''
  return {
    content: (number) => {
      const random = createRandom(number)
      let text = `note ${number}`
      while (text.length < contentLength) text += ` ${pick(random())}`
      return text
    },
    question: (number) => {
      const random = createRandom(number + 2 ** 30)
      return Array.from({ length: 3 }, () => pick(0.25 + 0.75 * random())).join(' ')
    },
  }
}

function wordOf(rank: number): string {
  const syllables = ['ka', 'ne', 'ti', 'ro', 'mu', 'sel', 'dan', 'vor', 'lin', 'pas', 'gre', 'how']
  let word = ''
  for (let left = rank + 12; left > 0; left = Math.floor(left / 12)) word += syllables[left % 12]
  return word
}

function firstAbove(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 1) < value) low = middle + 1
    else high = middle
  }
  return low
}
