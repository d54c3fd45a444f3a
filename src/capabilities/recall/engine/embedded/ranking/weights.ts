/**
 * What each kind of evidence is worth; each is a share of the best of its kind, from 0 to 1. Found by
 * search with cross-validation over conversations, outside this repository.
 */
export const weights = Object.freeze({
  lexical: 0.69,
  vector: 0.39,
  /** The best passage of a text, which of a short text is the whole. */
  passage: 0.33,
  /** Of the score of each neighbour in the same session. */
  window: 0.41,
  /** Of the mean score of the session's three best. */
  session: 0.2,
  /** Who said it is named in the question. */
  named: 0.86,
  user: 0.69,
  /** What was itself a question answers few. */
  shortQuestion: -0.63,
})

/** What was found by hints alone never scores more. */
export const hintCap = 0.75
