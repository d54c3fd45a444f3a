import { classifyName, isFunctionWord, toCanonicalName } from '../../knowledge/index.ts'

const maxWords = 4
const joiners = new Set(['of', 'the', 'and', 'for', 'de', 'van', 'von'])
const determiners = new Set(['the', 'a', 'an', 'our', 'this', 'that', 'der', 'die', 'das'])
const calendar = new Set(
  `monday tuesday wednesday thursday friday saturday sunday january february march april may june
  july august september october november december`.split(/\s+/),
)

/** Why a phrase counts as a name. `initial`: only the capital of a sentence's first word. */
export type NameEvidence = 'known' | 'linked' | 'code' | 'capitalized' | 'initial'

export interface NameContext {
  /** Canonical names and aliases of active entities. */
  readonly known: ReadonlySet<string>
  /** Canonical names in double brackets. */
  readonly linked: ReadonlySet<string>
  /** Words that occur in lower case. */
  readonly common: ReadonlySet<string>
  /** Capitalized words that occur inside a sentence, with their number. */
  readonly capitalized: ReadonlyMap<string, number>
}

/** Statistics of the words of the text. */
export function readNameContext(
  text: string,
  sentences: readonly string[],
): Omit<NameContext, 'known'> {
  const linked = new Set(listLinked(text).map(toCanonicalName))
  const common = new Set<string>()
  const capitalized = new Map<string, number>()
  for (const sentence of sentences)
    for (const [index, word] of (sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? []).entries()) {
      if (/^\p{Ll}/u.test(word)) common.add(word)
      else if (index > 0) capitalized.set(word, (capitalized.get(word) ?? 0) + 1)
    }
  return { linked, common, capitalized }
}

/** The targets of `[[target]]` and `[[target|label]]`. */
export function listLinked(text: string): string[] {
  return [...text.matchAll(/\[\[([^[\]|\n]{1,200})(?:\|[^[\]\n]{0,200})?\]\]/g)].map(
    ([, target = '']) => target.trim(),
  )
}

/** A phrase without determiners, brackets and backticks. */
export function toName(phrase: string): string {
  const [linked] = listLinked(phrase)
  const words = (linked ?? phrase.replaceAll('`', '')).trim().split(/\s+/)
  while (words.length > 1 && determiners.has(words[0]?.toLowerCase() ?? '')) words.shift()
  return words.join(' ')
}

/** Undefined for a phrase that is no name. */
export function judgeName(phrase: string, context: NameContext): NameEvidence | undefined {
  const name = toName(phrase)
  const words = name.split(' ')
  const isOneCommonWord = words.length === 1 && isCommon(name.toLowerCase())
  if (words.length > maxWords || isOneCommonWord || !classifyName(name).ok) return undefined
  const canonical = toCanonicalName(name)
  if (context.known.has(canonical)) return 'known'
  if (context.linked.has(canonical)) return 'linked'
  if (/^`[^`]+`$/.test(phrase.trim()) && /[\p{Lu}\d_.-]/u.test(name.slice(1))) return 'code'
  return judgeCapitals(words, context)
}

function judgeCapitals(
  words: readonly string[],
  { common, capitalized }: NameContext,
): NameEvidence | undefined {
  const [first = ''] = words
  if (!isCapitalized(words)) return undefined
  if (words.length > 1 || /[\p{Lu}\d-]/u.test(first.slice(1))) return 'capitalized'
  if (common.has(first.toLowerCase())) return undefined
  return (capitalized.get(first) ?? 0) > 1 ? 'capitalized' : 'initial'
}

function isCommon(word: string): boolean {
  return isFunctionWord(word) || calendar.has(word)
}

function isCapitalized(words: readonly string[]): boolean {
  const outer = [words[0] ?? '', words.at(-1) ?? '']
  return (
    words.every((word) => /^[\p{Lu}\d]/u.test(word) || joiners.has(word)) &&
    outer.every((word) => /^[\p{Lu}\d]/u.test(word) && !isCommon(word.toLowerCase()))
  )
}
