import { fold, isSpaceless, readContentTerms, readTerms } from '../../../search/index.ts'
import type { AnswerHit } from './hit.ts'
import type { SpecificTerm } from './specific-terms.ts'

/** Small numbers are often amounts that the answer changes. */
const weights = { identifier: 1, name: 1, letter: 1, number: 0.3 } as const
/** Coverage of a name by one of its words: namesakes share one. */
const partialNameCoverage = 0.4
/** Coverage of a name in another script, which may have it in other letters. */
const transliteratedCoverage = 0.7
/** Only the beginning of a longer text is compared. */
const maxLength = 50_000

export interface Text {
  readonly content: string
  readonly who: string
  readonly project?: string | null
}

/** A memory of a project is about it, so its name counts as a part of the text. */
function readText({ content, who, project }: Text) {
  const original = content.slice(0, maxLength)
  return { original, folded: fold(`${original} | ${who} | ${project ?? ''}`) }
}

/** The share of the specific terms that a text, its speaker or its project has, 0 to 1; 1 without such terms. */
export function coverSpecificTerms(terms: readonly SpecificTerm[], text: Text): number {
  const total = sumWeights(terms, () => 1)
  if (total === 0) return 1
  const read = readText(text)
  return sumWeights(terms, (term) => coverTerm(term, read)) / total
}

/** The weight of terms that no text has, at most 1. */
export function findMissingWeight(terms: readonly SpecificTerm[], texts: readonly Text[]): number {
  if (terms.length === 0) return 0
  const read = texts.map(readText)
  const missing = sumWeights(
    terms,
    (term) => 1 - Math.max(0, ...read.map((text) => coverTerm(term, text))),
  )
  return Math.min(1, missing)
}

/** Terms of a passage, about three sentences. */
const passageTerms = 30
const minLongLength = 750
const maxComparedLength = 8000

/** Of the terms that a text has, the share that its best passage has. */
export function bestPassageShare(content: string, terms: readonly string[]): number {
  if (content.length < minLongLength) return 1
  const wanted = new Set(terms)
  const places = readTerms(content.slice(0, maxComparedLength)).flatMap((term, at) =>
    wanted.has(term) ? [{ term, at }] : [],
  )
  const countFrom = (start: number) =>
    new Set(
      places.flatMap(({ term, at }) => (at >= start && at < start + passageTerms ? [term] : [])),
    ).size
  const all = new Set(places.map(({ term }) => term)).size
  return all === 0 ? 1 : Math.max(...places.map(({ at }) => countFrom(at))) / all
}

/** The share of the query that a complete answer has, and that one without its other terms needs. */
const minCoverage = 0.6
const minSimilarCoverage = 0.8

/** Reads the terms of a query that are no specific terms: what it asks of a subject. */
export function createPartialTest(query: string, specificTerms: readonly SpecificTerm[]) {
  const subject = new Set(specificTerms.flatMap(({ words }) => readTerms(words.join(' '))))
  const attributes = readContentTerms(query).filter((term) => !subject.has(term))
  /** Whether a text has too little of the query, or only its subject. Pairs of characters say less. */
  return ({ content, evidence: { lexical, soft, hint }, isTurn }: AnswerHit): boolean => {
    if (isTurn || isSpaceless(query)) return false
    const coverage = Math.max(lexical, soft, hint)
    if (coverage < minCoverage) return true
    if (subject.size === 0 || attributes.length === 0) return false
    const terms = new Set(readTerms(content.slice(0, maxLength)))
    return coverage < minSimilarCoverage && !attributes.some((term) => terms.has(term))
  }
}

function sumWeights(
  terms: readonly SpecificTerm[],
  shareOf: (term: SpecificTerm) => number,
): number {
  return terms.reduce((sum, term) => sum + weights[term.kind] * shareOf(term), 0)
}

function coverTerm(
  { words, kind, noun }: SpecificTerm,
  { original, folded }: ReturnType<typeof readText>,
): number {
  if (kind === 'letter')
    return hasLetter(original, folded, { letter: words[0] ?? '', noun }) ? 1 : 0
  // An acronym may be a part of an identifier.
  const text = kind === 'name' ? folded.replaceAll('_', ' ') : folded
  const isTransliterated = kind === 'name' && isSpaceless(text) && !isSpaceless(words.join(''))
  return Math.max(coverWords(words, text), isTransliterated ? transliteratedCoverage : 0)
}

/** Whether a text has a letter as a word: a capital, or in any case after its noun. */
function hasLetter(
  original: string,
  folded: string,
  { letter, noun }: { readonly letter: string; readonly noun: string | undefined },
): boolean {
  const capital = letter.toUpperCase()
  const word = new RegExp(
    String.raw`(?<=[\p{L}\p{N},&/+][\s-]?)(?<![\p{sc=Latin}\p{N}_])${capital}(?![\p{sc=Latin}\p{N}_'’]|\.\s)|^${capital}(?=\p{sc=Han})`,
    'u',
  )
  const afterNoun = `${noun}[\\s-]${letter}(?![\\p{L}\\p{N}_'])`
  return word.test(original) || (noun !== undefined && new RegExp(afterNoun, 'u').test(folded))
}

/** An initial may stand for the last word of a name. */
function coverWords(words: SpecificTerm['words'], text: string): number {
  const [first = '', ...others] = words
  const last = others.at(-1)
  const hasFirst = hasWord(text, first)
  if (last === undefined) return hasFirst ? 1 : 0
  const hasLast = hasWord(text, last)
  if (hasFirst && (hasLast || hasWord(text, `${first} ${last.charAt(0)}`))) return 1
  return hasFirst || hasLast ? partialNameCoverage : 0
}

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u
const spaceless = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u

/** Whether the text has the word, with a plural or possessive ending at most. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.charAt(at - 1)
    const after = text.slice(at + word.length)
    if (!continues(before) && !continues(after.replace(/^'?s(?![\p{L}\p{N}])/u, '').charAt(0)))
      return true
  }
  return false
}

function continues(character: string): boolean {
  return wordCharacter.test(character) && !spaceless.test(character)
}
