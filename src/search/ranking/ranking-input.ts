/** What the ranking is told of a question and of the slots that may answer it, which are numbered from 0 on. */
export interface RankingInput {
  /** The first so many are ranked. */
  readonly rankedCount: number
  /** The first so many count by themselves: what is ranked, and what was said beside that. */
  readonly scoredCount: number
  /** Evidence by slot, on scales of its own: BM25, and cosines of the whole and of the best passage. */
  readonly lexical: Column
  readonly vector: Column
  readonly passage: Column
  readonly hint: Column
  /** How much of what the question means the words of the slot mean, for its length. */
  readonly soft: Column
  /** How much of what the question asks for the slot holds: by its own words, by words of nearly the same meaning, by its hints. 0 to 1. */
  readonly coverage: (slot: number) => number
  readonly softCoverage: Column
  readonly hintCoverage: (slot: number) => number
  /** Whether the lack of evidence says something: the question has a vector and is made of words. */
  readonly isAbsenceSignificant: boolean
  /** Who said it, folded. */
  readonly who: readonly string[]
  /** 1 where the question names who said it. */
  readonly isNamedSpeaker: Column
  readonly words: Column
  /** Bits of `trait`; `wanted` are those that an answer is likely to have. */
  readonly traits: Column
  readonly queryTraits: number
  /** A number for its session; 0 for none. */
  readonly session: Column
  /** The distinct terms of a note, which may be none where there are more than `mostTerms`. */
  readonly terms: (slot: number) => ArrayLike<string | number>
  /** What was said just before and after it in its session, where that may answer too; else `nobody`. */
  readonly before: Column
  readonly after: Column
  /** Orders equals. */
  readonly byRecency: (slot: number, other: number) => number
}

export const noNeighbour = -1

/** A number for each slot that counts. */
export type Column = ArrayLike<number>

/** One kind of reason to think that a slot answers. */
export interface Stage {
  readonly name: string
  readonly reason?: string
  score(slot: number): number
}

/** What stages give together, in their order, to each of the first so many slots. */
export function sumStages(stages: readonly Stage[], count: number): Float64Array {
  const sums = new Float64Array(count)
  for (const { score } of stages)
    for (let slot = 0; slot < count; slot++) sums[slot] = (sums[slot] as number) + score(slot)
  return sums
}

export function fillColumn(count: number, valueAt: (slot: number) => number): Float64Array {
  const column = new Float64Array(count)
  for (let slot = 0; slot < count; slot++) column[slot] = valueAt(slot)
  return column
}
