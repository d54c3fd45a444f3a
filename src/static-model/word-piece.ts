import { findPiece, lengthOf, type Vocabulary } from './vocabulary.ts'

/** Returns the word-piece ids of a text, in order. */
export type Tokenise = (text: string) => number[]

/** A longer word is one unknown piece, as in the training of the model. */
const maxWordLength = 100
const cacheGenerationSize = 4096
/** Longer words are not cached: a substring retains its whole text. */
const maxCachedLength = 12
const plainAscii = /^[\t\n\r -~]*$/
const notAscii = /[^\0-\x7f]/
const dropped = /[\0\ufffd\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
const accents = /\p{Mn}/gu
/** Each CJK ideograph is a word. */
const ideographs =
  /[\u{3400}-\u{4dbf}\u{4e00}-\u{9fff}\u{f900}-\u{faff}\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu
const wordsOrMarks = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu

/** Uncased BERT word pieces: lower case, no accents, separate punctuation and ideographs. */
export function createWordPiece(vocabulary: Vocabulary): Tokenise {
  // Two-generation cache: an entry that is not used for one generation is dropped.
  let recent = new Map<string, readonly number[]>()
  let older = recent
  const piecesOf = (word: string): readonly number[] => {
    if (word.length > maxCachedLength) return toPieces(word, vocabulary)
    const cached = recent.get(word)
    if (cached) return cached
    const pieces = older.get(word) ?? toPieces(word, vocabulary)
    if (recent.size >= cacheGenerationSize) {
      older = recent
      recent = new Map()
    }
    recent.set(word, pieces)
    return pieces
  }
  return (text) => {
    const ids: number[] = []
    for (const word of toPlain(text).match(wordsOrMarks) ?? [])
      for (const piece of piecesOf(word)) ids.push(piece)
    return ids
  }
}

function toPlain(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase()
  const cleaned = text.replaceAll(/[\t\n\r]/g, ' ').replaceAll(dropped, '')
  if (!notAscii.test(cleaned)) return cleaned.toLowerCase()
  const spaced = cleaned.replaceAll(ideographs, ' $& ')
  return spaced.normalize('NFD').replaceAll(accents, '').toLowerCase()
}

/** Greedy longest match; a word with an unmatched rest is one unknown piece. */
function toPieces(word: string, vocabulary: Vocabulary): readonly number[] {
  if (isTooLong(word)) return [vocabulary.unknown]
  const ids: number[] = []
  for (let start = 0; start < word.length; ) {
    const id = findPiece(vocabulary, word, start)
    if (id < 0) return [vocabulary.unknown]
    ids.push(id)
    start += lengthOf(vocabulary, id)
  }
  return ids
}

function isTooLong(word: string): boolean {
  return word.length > maxWordLength && [...word].length > maxWordLength
}
