export interface ExcerptOptions {
  readonly words: readonly string[]
  /** Whether the source text continues before and after this text. */
  readonly isCut: { readonly before: boolean; readonly after: boolean }
  readonly maxLength: number
}

/** The share of an excerpt before the matched word. */
const leadShare = 0.35
const ellipsis = '...'

/** The characters around the first matched word, without speaker labels. */
export function makeExcerpt(text: string, { words, isCut, maxLength }: ExcerptOptions): string {
  const plain = dropLabels(text)
  const lowerCase = plain.toLowerCase()
  const positions = words.map((word) => lowerCase.indexOf(word)).filter((at) => at >= 0)
  const first = positions.length > 0 ? Math.min(...positions) : 0
  const available = maxLength - 2 * ellipsis.length
  const latest = Math.max(0, plain.length - available)
  const start = Math.min(latest, Math.max(0, Math.floor(first - available * leadShare)))
  const end = Math.min(plain.length, start + available)
  const before = start > 0 || isCut.before ? ellipsis : ''
  const after = end < plain.length || isCut.after ? ellipsis : ''
  return `${before}${plain.slice(start, end).trim().toWellFormed()}${after}`
}

function dropLabels(text: string): string {
  return text.replaceAll(/(^|\n)(?:User|Assistant|Unknown): /g, '$1').replaceAll('\n', ' ')
}
