/** A word, an ideograph, or a mark of punctuation. Offsets count from the beginning of the text. */
export interface Token {
  /** As it is written, with a plain apostrophe. */
  readonly text: string
  readonly lower: string
  readonly start: number
  readonly end: number
  readonly kind: 'word' | 'ideograph' | 'mark'
}

/** Stands for a character that makes no statement. */
export const maskCharacter = '\uFFFC'

const letter = /[\p{L}\p{N}\p{M}]/u
const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const digit = /\p{N}/u
const space = /[\s\p{Cf}]/u
const contractions: ReadonlySet<string> = new Set(['s', 'm', 're', 've', 'll', 'd'])
/** Marks that connect two parts of one word. */
const connectors: ReadonlySet<string> = new Set(['.', '-', '_', '/', '@', '&', "'", '+', '#', '\\'])
const numericConnectors: ReadonlySet<string> = new Set([',', ':'])
const prefixes: ReadonlySet<string> = new Set(['.', '@', '$', '€', '£', '#'])
const suffixes: ReadonlySet<string> = new Set(['+', '#', '%'])

/** Splits in one pass: each character is read once. */
export function tokenize(text: string, from = 0, to = text.length): Token[] {
  const tokens: Token[] = []
  let at = from
  while (at < to) {
    const character = characterAt(text, at)
    if (space.test(character)) {
      at += character.length
      continue
    }
    const end = readToken(text, at, to)
    tokens.push(...toTokens(text, at, end, kindOf(character, text, at, to)))
    at = end
  }
  return tokens
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function isLetter(text: string, at: number, to: number): boolean {
  if (at >= to) return false
  const character = characterAt(text, at)
  return letter.test(character) && !ideograph.test(character)
}

function kindOf(character: string, text: string, at: number, to: number): Token['kind'] {
  if (ideograph.test(character)) return 'ideograph'
  return isLetter(text, at, to) || isPrefix(text, at, to) ? 'word' : 'mark'
}

/** A mark in front of a name or an amount, as in `.NET` and `$5`. */
function isPrefix(text: string, at: number, to: number): boolean {
  if (!prefixes.has(text[at] ?? '') || !isLetter(text, at + 1, to)) return false
  return at === 0 || space.test(text[at - 1] ?? ' ')
}

function readToken(text: string, at: number, to: number): number {
  const isWord = isLetter(text, at, to) || isPrefix(text, at, to)
  if (!isWord) return at + characterAt(text, at).length
  let end = at + 1
  while (end < to) {
    if (isLetter(text, end, to)) end += characterAt(text, end).length
    else if (isConnected(text, end, to)) end += 1
    else break
  }
  return readSuffix(text, end, to)
}

function isConnected(text: string, at: number, to: number): boolean {
  const mark = plainApostrophe(text[at] ?? '')
  if (!isLetter(text, at + 1, to)) return false
  if (connectors.has(mark)) return true
  return (
    numericConnectors.has(mark) && digit.test(text[at - 1] ?? '') && digit.test(text[at + 1] ?? '')
  )
}

function readSuffix(text: string, at: number, to: number): number {
  let end = at
  while (end < to && end < at + 2 && suffixes.has(text[end] ?? '')) end += 1
  return isLetter(text, end, to) ? at : end
}

function plainApostrophe(text: string): string {
  return text.replaceAll(/[’ʼ]/g, "'")
}

/** `I'm` and `Ada's` are two tokens each. */
function toTokens(text: string, start: number, end: number, kind: Token['kind']): Token[] {
  const word = plainApostrophe(text.slice(start, end))
  const quote = word.lastIndexOf("'")
  const isContraction = quote > 0 && contractions.has(word.slice(quote + 1).toLowerCase())
  const token = (from: number, to: number): Token => {
    const part = word.slice(from, to)
    return { text: part, lower: part.toLowerCase(), start: start + from, end: start + to, kind }
  }
  if (kind !== 'word' || !isContraction) return [token(0, word.length)]
  return [token(0, quote), token(quote, word.length)]
}

/** Begins with a capital, a digit or the mark of a name. */
export function isCapitalised({ text, kind }: Token): boolean {
  return kind === 'word' && /^[.@#$€£]?[\p{Lu}\p{N}]/u.test(text)
}

/** Has the shape of an identifier: a digit, an inner capital or an inner mark. */
export function isCode({ text, kind }: Token): boolean {
  return kind === 'word' && /[\p{N}_/.@+#]|\p{Ll}\p{Lu}/u.test(text)
}
