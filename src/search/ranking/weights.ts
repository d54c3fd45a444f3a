/**
 * What each kind of evidence is worth; each is a share of the best of its kind, from 0 to 1. Found by
 * search with cross-validation over conversations, outside this repository. A pair holds for a text
 * of no words and for one that goes on for ever; texts in between are in between.
 */
export const weights = Object.freeze({
  lexical: { short: 0.45, long: 0.8 },
  vector: { short: 0.45, long: 0.4 },
  /** The best passage of a text, which of a short text is the whole. */
  passage: { short: 0, long: 0.4 },
  /** Words that mean nearly the same. */
  soft: { short: 1.1, long: 0.55 },
  /** Of the score of each neighbour in the same session. */
  window: { short: 0.4, long: 0.25 },
  /** More of the score of the text before, if that is a question. */
  answered: { short: 0.2, long: 0 },
  /** How often the neighbours hold a word counts for so much of how often the text holds it. */
  neighbourTerms: { short: 0.25, long: 0 },
  /** Of the mean score of the session's three best. */
  session: 0.35,
  /** Who said it is named in the question. */
  named: 1.1,
  /** What was said to the user, not by the user. */
  assistant: -0.65,
  /** What was itself a question answers few; the longer it is, the more else it says. */
  question: -2,
  /** It tells a time, and the question asks for one; numbers likewise. */
  time: 0.65,
  number: 0.3,
  /** A few words say little. */
  brevity: -0.85,
  /** A note shares words with the best one. */
  termOverlap: 0.3,
  instruction: 0.35,
  preference: 0.4,
})

/** The weights are those for this balance of words and meaning. */
export const defaultAlpha = 0.7

/** Words of a text that is half short, half long. */
const midpointWords = 40

/** What a pair is worth for a text of so many words. */
export function interpolateWeight(
  pair: { readonly short: number; readonly long: number },
  words: number,
): number {
  const shortness = 1 / (1 + (words / midpointWords) ** 2)
  return pair.long + (pair.short - pair.long) * shortness
}

/** What was found by hints alone never scores more. */
export const maxHintScore = 0.75

/** So many of each kind of evidence are ranked; of longer answers as many as are asked for. */
export const candidatesPerSignal = 40
