import { findPiece, lengthOf, type Vocabulary } from './vocabulary.ts'

/** Gives the ids of a text's word pieces, in their order. */
export type Tokenise = (text: string) => number[]

/** What is longer is one unknown word, as the model has learned it. */
const longestWord = 100
const wordsKnown = 4096
/** A longer part of a text keeps all of the text in memory. */
const longestKnown = 12
const plain = /^[\t\n\r -~]*$/
const notAscii = /[^\0-\x7f]/
const dropped = /[\0\ufffd\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
const accents = /\p{Mn}/gu
/** Each a word by itself: ideographs of Chinese, Japanese and Korean. */
const ideographs =
  /[\u{3400}-\u{4dbf}\u{4e00}-\u{9fff}\u{f900}-\u{faff}\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu
const wordsOrMarks = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu

/** The uncased word pieces of BERT: lower case, no accents, marks and ideographs apart. */
export function createWordPiece(vocabulary: Vocabulary): Tokenise {
  // Most words of a text are few: what they are made of is found out once, and forgotten when it was
  // not asked for while as many others were.
  let known = new Map<string, readonly number[]>()
  let before = known
  const piecesOf = (word: string): readonly number[] => {
    if (word.length > longestKnown) return toPieces(word, vocabulary)
    const held = known.get(word)
    if (held) return held
    const pieces = before.get(word) ?? toPieces(word, vocabulary)
    if (known.size >= wordsKnown) {
      before = known
      known = new Map()
    }
    known.set(word, pieces)
    return pieces
  }
  return (text) => {
    const found: number[] = []
    for (const word of toPlain(text).match(wordsOrMarks) ?? [])
      for (const piece of piecesOf(word)) found.push(piece)
    return found
  }
}

function toPlain(text: string): string {
  if (plain.test(text)) return text.toLowerCase()
  const cleaned = text.replaceAll(/[\t\n\r]/g, ' ').replaceAll(dropped, '')
  if (!notAscii.test(cleaned)) return cleaned.toLowerCase()
  const spaced = cleaned.replaceAll(ideographs, ' $& ')
  return spaced.normalize('NFD').replaceAll(accents, '').toLowerCase()
}

/** The longest piece that is known, then the longest of what is left; one unknown piece, one unknown word. */
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
  return word.length > longestWord && [...word].length > longestWord
}
