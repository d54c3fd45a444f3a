/** Gives the ids of a text's word pieces, in their order. */
export type Tokenise = (text: string) => number[]

interface Vocabulary {
  readonly ids: ReadonlyMap<string, number>
  /** Of its pieces, in letters. */
  readonly longest: number
  readonly unknown: number
}

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
export function createWordPiece(vocab: Readonly<Record<string, number>>): Tokenise {
  const ids = new Map(Object.entries(vocab))
  const longest = Math.max(...Object.keys(vocab).map((piece) => piece.length))
  const vocabulary = { ids, longest, unknown: ids.get('[UNK]') ?? 0 }
  return (text) => {
    const found: number[] = []
    for (const [word] of toPlain(text).matchAll(wordsOrMarks)) {
      const whole = ids.get(word)
      if (whole === undefined) appendPieces(found, word, vocabulary)
      else found.push(whole)
    }
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
  const letters = notAscii.test(word) ? [...word] : word
  const before = ids.length
  let start = letters.length > longestWord ? -1 : 0
  while (start >= 0 && start < letters.length)
    start = appendPiece(ids, letters, { start, vocabulary })
  if (start >= 0) return
  ids.length = before
  ids.push(vocabulary.unknown)
}

/** Gives where the piece ends, or -1 where there is none. */
function appendPiece(
  ids: number[],
  letters: string | readonly string[],
  { start, vocabulary }: { readonly start: number; readonly vocabulary: Vocabulary },
): number {
  const prefix = start === 0 ? '' : '##'
  for (let end = Math.min(letters.length, start + vocabulary.longest); end > start; end -= 1) {
    const part = letters.slice(start, end)
    const id = vocabulary.ids.get(prefix + (typeof part === 'string' ? part : part.join('')))
    if (id === undefined) continue
    ids.push(id)
    return end
  }
  return -1
}
