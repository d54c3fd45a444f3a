/** What the ranking is told of a question and of the slots that may answer it, which are small numbers. */
export interface Scene {
  /** Evidence by slot, on scales of its own: BM25, and cosines of the whole and of the best passage. */
  readonly lexical: (slot: number) => number
  readonly vector: (slot: number) => number
  readonly passage: (slot: number) => number
  readonly hint: (slot: number) => number
  /** How much of what the question means the words of the slot mean, for its length. */
  readonly soft: (slot: number) => number
  /** How much of what the question asks for the slot holds: by its own words, by words of nearly the same meaning, by its hints. 0 to 1. */
  readonly coverage: (slot: number) => number
  readonly softCoverage: (slot: number) => number
  readonly hintCoverage: (slot: number) => number
  /** Whether the lack of evidence says something: the question has a vector and is made of words. */
  readonly isSure: boolean
  /** Who said it, folded. */
  readonly who: (slot: number) => string
  /** Whether the question names who said it. */
  readonly isNamed: (slot: number) => boolean
  readonly words: (slot: number) => number
  /** Bits of `trait`; `wanted` are those that an answer is likely to have. */
  readonly traits: (slot: number) => number
  readonly wanted: number
  /** A number for its session; 0 for none. */
  readonly session: (slot: number) => number
  /** The distinct terms of a note, which may be none where there are more than `mostTerms`. */
  readonly terms: (slot: number) => ArrayLike<string | number>
  /** What was said just before and after it in its session, where that may answer too. */
  readonly before: (slot: number) => number | undefined
  readonly after: (slot: number) => number | undefined
  /** Orders equals. */
  readonly newestFirst: (slot: number, other: number) => number
}

/** One kind of reason to think that a slot answers. */
export interface Stage {
  readonly name: string
  readonly reason?: string
  score(slot: number): number
}

export function sumOf(stages: readonly Stage[], slot: number): number {
  let sum = 0
  for (const stage of stages) sum += stage.score(slot)
  return sum
}

/** Each slot's value, found once. */
export function remember<Value>(find: (slot: number) => Value): (slot: number) => Value {
  const found: (Value | undefined)[] = []
  return (slot) => {
    const there = found[slot]
    if (there !== undefined) return there
    const value = find(slot)
    found[slot] = value
    return value
  }
}
