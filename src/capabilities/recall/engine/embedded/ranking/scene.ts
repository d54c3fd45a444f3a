/** What the ranking is told of a question and of the slots that may answer it. */
export interface Scene {
  /** The question's words as they were written, without case and accents. */
  readonly asked: ReadonlySet<string>
  /** Evidence by slot, on scales of its own: BM25, and cosines of the whole and of the best passage. */
  readonly lexical: (slot: number) => number
  readonly vector: (slot: number) => number
  readonly passage: (slot: number) => number
  readonly hint: (slot: number) => number
  /** The best of each kind among all that may answer; 0 when there is none. */
  readonly best: Readonly<Record<Evidence, number>>
  readonly who: (slot: number) => string
  /** Terms, function words aside. */
  readonly length: (slot: number) => number
  /** Whether the words of the slot are a question. */
  readonly asks: (slot: number) => boolean
  /** A number for its session; 0 for none. */
  readonly session: (slot: number) => number
  /** What may answer of what was said just before and after it in its session. */
  readonly neighbours: (slot: number) => readonly number[]
  /** Orders equals. */
  readonly newestFirst: (slot: number, other: number) => number
  /** How much of what the question asks for the slot holds by its own words, and by its hints: 0 to 1. */
  readonly coverage: (slot: number) => number
  readonly hintCoverage: (slot: number) => number
}

export type Evidence = 'lexical' | 'vector' | 'passage' | 'hint'

/** What one stage gave a slot, and why. */
export interface Stage {
  readonly name: string
  readonly score: number
  readonly reason?: string
}

export function shareOf(scene: Scene, evidence: Evidence, slot: number): number {
  const best = scene.best[evidence]
  return best > 0 ? scene[evidence](slot) / best : 0
}
