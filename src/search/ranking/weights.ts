import type { VectorKind } from '../engine.ts'

/**
 * Weights of the signals, each normalized to 0..1 by its maximum. Found by search with
 * cross-validation over conversations, outside this repository. Pairs are interpolated between a
 * text without words and an infinitely long one.
 */
export const weights = Object.freeze({
  lexical: { short: 0.45, long: 0.8 },
  vector: { short: 0.45, long: 0.4 },
  /** The best passage of a text; of a short text the whole. */
  passage: { short: 0, long: 0.4 },
  /** Words with similar meaning. */
  soft: { short: 1.1, long: 0.55 },
  /** Share of the score of each neighbour in the session. */
  window: { short: 0.4, long: 0.25 },
  /** Additional share of the previous message, if it is a question. */
  answered: { short: 0.2, long: 0 },
  /** Share of the term frequencies of the neighbours. */
  neighbourTerms: { short: 0.25, long: 0 },
  /** Share of the mean of the three best scores of the session. */
  session: 0.35,
  /** The query names the speaker. */
  named: 1.1,
  /** A message of the assistant. */
  assistant: -0.65,
  /** Questions rarely answer questions; long ones contain more than the question. */
  question: -2,
  /** The query asks for a time and the text has one; numbers likewise. */
  time: 0.65,
  number: 0.3,
  /** A few words say little. */
  brevity: -0.85,
  /** Shared terms with the best note. */
  termOverlap: 0.3,
  instruction: 0.35,
  preference: 0.3,
  /** A question for help: the answer depends on what the user prefers. */
  helpPreference: 0.8,
})

type Signal = 'lexical' | 'vector' | 'passage' | 'soft'

/**
 * Weights of words and of meaning, by the kind of the embedding model. A transformer knows
 * paraphrases, so its vectors count more. Its weights come from `bench/useful` with one model.
 */
export const signalWeights: Readonly<Record<VectorKind, Pick<typeof weights, Signal>>> =
  Object.freeze({
    static: weights,
    transformer: {
      lexical: { short: 0.45, long: 0.8 },
      vector: { short: 1.35, long: 1.2 },
      passage: { short: 0, long: 1.2 },
      soft: { short: 0.66, long: 0.33 },
    },
  })

/** The weights are tuned for this alpha. */
export const defaultAlpha = 0.7

/** The word count at which both weights count equally. */
const midpointWords = 40

/** The weight for a text with this number of words. */
export function interpolateWeight(
  pair: { readonly short: number; readonly long: number },
  words: number,
): number {
  const shortness = 1 / (1 + (words / midpointWords) ** 2)
  return pair.long + (pair.short - pair.long) * shortness
}

/** The maximum score of a slot found by hints alone. */
export const maxHintScore = 0.75

/** Candidates per signal, unless more results are requested. */
export const candidatesPerSignal = 40

/** Which texts are related to the best one: they share rare terms with it. */
export const relatedLimits = {
  /** Terms of more texts link nothing. */
  maxFrequency: 30,
  /** A longer text has several subjects. */
  maxTerms: 40,
  maxRelated: 8,
} as const
