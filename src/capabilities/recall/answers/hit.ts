/** A possible answer: its text, its origin, and its evidence, each 0 to 1. */
export interface AnswerHit {
  readonly content: string
  readonly who: string
  readonly agentId: string
  readonly project: string | null
  /** A turn of a dialogue, whose neighbours complete it. */
  readonly isTurn: boolean
  /** Found only because it names what the best note names. */
  readonly isRelated?: boolean | undefined
  /** The id, and the ids of the hits that support what replaced all claims of the text. */
  readonly id?: string | undefined
  readonly replacements?: readonly string[] | undefined
  /** Whether all claims that the text supports are superseded, by something unknown. */
  readonly isSuperseded?: boolean | undefined
  /** The text of the reading of the query that found it, where it is not the query itself. */
  readonly reading?: string | undefined
  readonly createdAt: string
  readonly score: number
  readonly evidence: {
    /** The share of query terms in the text, exact and by similar words. */
    readonly lexical: number
    readonly soft: number
    /** The cosine; undefined without vectors. */
    readonly vector: number | undefined
    readonly hint: number
  }
}

/** The score of a hit after a rule, with the reason; undefined if the rule does not apply. */
export type Adjustment = { readonly score: number; readonly reason: string } | undefined
