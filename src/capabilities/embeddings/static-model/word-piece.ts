import { findPiece, lengthOf, type Vocabulary } from './vocabulary.ts'

/** Gives the ids of a text's word pieces, in their order. */
export type Tokenise = (text: string) => number[]

/** What is longer is one unknown word, as the model has learned it. */
const longestWord = 100
const notAscii = /[^\0-\x7f]/
const dropped = /[\0\ufffd\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
const accents = /\p{Mn}/gu
/** Each a word by itself: ideographs of Chinese, Japanese and Korean. */
const ideographs =
  /[\u{3400}-\u{4dbf}\u{4e00}-\u{9fff}\u{f900}-\u{faff}\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu
const wordsOrMarks = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu

/** The uncased word pieces of BERT: lower case, no accents, marks and ideographs apart. */
export function createWordPiece(vocabulary: Vocabulary): Tokenise {
  return (text) => {
    const found: number[] = []
    for (const [word] of toPlain(text).matchAll(wordsOrMarks)) appendPieces(found, word, vocabulary)
    return found
  }
}

function toPlain(text: string): string {
  const cleaned = text.replaceAll(/[\t\n\r]/g, ' ').replaceAll(dropped, '')
  if (!notAscii.test(cleaned)) return cleaned.toLowerCase()
  const spaced = cleaned.replaceAll(ideographs, ' $& ')
  return spaced.normalize('NFD').replaceAll(accents, '').toLowerCase()
}

/** The longest piece that is known, then the longest of what is left; one unknown piece, one unknown word. */
function appendPieces(ids: number[], word: string, vocabulary: Vocabulary): void {
  const before = ids.length
  let start = isTooLong(word) ? -1 : 0
  while (start >= 0 && start < word.length) {
    const id = findPiece(vocabulary, word, start)
    start = id < 0 ? id : start + lengthOf(vocabulary, id)
    ids.push(id)
  }
  if (start >= 0) return
  ids.length = before
  ids.push(vocabulary.unknown)
}

function isTooLong(word: string): boolean {
  return word.length > longestWord && [...word].length > longestWord
}
