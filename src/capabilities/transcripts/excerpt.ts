export interface Excerpting {
  readonly words: readonly string[]
  /** Whether the text goes on before it begins and after it ends. */
  readonly isCut: { readonly before: boolean; readonly after: boolean }
  readonly atMost: number
}

/** So much of an excerpt stands before the word that was found. */
const lead = 0.35
const cut = '...'

/** Some characters around the first word found, without the labels of who speaks. */
export function makeExcerpt(text: string, { words, isCut, atMost }: Excerpting): string {
  const plain = dropLabels(text)
  const low = plain.toLowerCase()
  const found = words.map((word) => low.indexOf(word)).filter((at) => at >= 0)
  const first = found.length > 0 ? Math.min(...found) : 0
  const room = atMost - 2 * cut.length
  const latest = Math.max(0, plain.length - room)
  const start = Math.min(latest, Math.max(0, Math.floor(first - room * lead)))
  const end = Math.min(plain.length, start + room)
  const before = start > 0 || isCut.before ? cut : ''
  const after = end < plain.length || isCut.after ? cut : ''
  return `${before}${plain.slice(start, end).trim().toWellFormed()}${after}`
}

function dropLabels(text: string): string {
  return text.replaceAll(/(^|\n)(?:User|Assistant|Unknown): /g, '$1').replaceAll('\n', ' ')
}
