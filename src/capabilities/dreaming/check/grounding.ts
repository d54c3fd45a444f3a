import { isFunctionWord } from '../../knowledge/index.ts'

const word = /[\p{L}\p{N}\p{M}]+(?:[.'’:/_-][\p{L}\p{N}\p{M}]+)*/gu
const dense = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u
/** Share of the other words that the quotes must contain. */
const minWordShare = 0.8

/** Why the words of a value are not those of its quotes; undefined where they are. */
export function findGroundingFault(value: string, quotes: readonly string[]): string | undefined {
  const words = listWords(value)
  const cited = new Set(quotes.flatMap(listWords).map(toPlain))
  const missing = words.filter((one) => !cited.has(toPlain(one)))
  const binding = missing.find((one) => /\p{N}/u.test(one) || /^\p{Lu}/u.test(one))
  if (binding !== undefined) return `"${binding}" is missing from the quotes.`
  const content = words.filter((one) => !isFunctionWord(one.toLowerCase()))
  const absent = missing.filter((one) => !isFunctionWord(one.toLowerCase()))
  if (absent.length <= content.length * (1 - minWordShare)) return undefined
  return `"${absent[0]}" is missing from the quotes. Use the words of the source.`
}

/** Scripts without spaces count by pairs of characters. */
function listWords(text: string): string[] {
  return (text.normalize('NFKC').match(word) ?? []).flatMap((one) =>
    dense.test(one) ? listPairs([...one]) : [one],
  )
}

function listPairs(characters: readonly string[]): string[] {
  const [only = ''] = characters
  if (characters.length < 2) return [only]
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`)
}

function toPlain(text: string): string {
  return text.toLowerCase().replace(/['’]s$/, '')
}

/** Whether a text contains a name as whole words, in any case. */
export function containsName(text: string, name: string): boolean {
  return indexOfName(text, name) >= 0
}

/** Where a text has a name as whole words, in any case; -1 where it has none. */
export function indexOfName(text: string, name: string): number {
  const plain = text.normalize('NFKC').toLowerCase()
  const wanted = name.normalize('NFKC').toLowerCase().trim()
  if (wanted === '') return -1
  const isLetter = (character: string | undefined) =>
    character !== undefined && /[\p{L}\p{N}]/u.test(character) && !dense.test(character)
  for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, at + 1))
    if (!isLetter(plain[at - 1]) && !isLetter(plain[at + wanted.length])) return at
  return -1
}

const minQuoteLength = 12
/** In scripts without spaces. */
const minDenseLength = 4
const denseScript = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u

/** Why a quote is no evidence; undefined for an exact one. */
export function findQuoteFault(text: string, quote: string): string | undefined {
  const words = quote.trim()
  const minLength = denseScript.test(words) ? minDenseLength : minQuoteLength
  if ([...words].length < minLength)
    return `The quote has fewer than ${minLength} characters. Quote the whole statement.`
  if (!text.includes(words)) return 'The quote does not occur in its source. Copy it exactly.'
  return undefined
}
