import { termsOf } from './text-terms.ts'

/** A text for comparison. */
interface Fact {
  /** Lower case, one space between words. */
  readonly normalized: string
  readonly terms: ReadonlySet<string>
  readonly words: ReadonlySet<string>
  /** Words that distinguish similar facts: numbers, identifiers and names, in lower case. */
  readonly specifics: readonly string[]
  readonly isNegated: boolean
}

/** Share of the terms of a text that another text has. */
const minCoverage = 0.85
/** Shared terms of two texts, relative to all of their terms. */
const minOverlap = 0.75
/** Weight of the terms that another text may lack. In a long text two words are another fact. */
const maxMissing = 1
/** The beginning of a longer text is compared. */
const maxFactLength = 2000
/** Shorter texts repeat another only if it contains them literally. */
const minTerms = 4

const negations = new Set(
  `no not never none nothing without cannot kein keine keinen keiner nicht nie niemals ohne nunca
  jamás ningún ninguna sin ne pas jamais aucun aucune sans`.split(/\s+/),
)
const negatedForms = /n['’]t\b|[不没沒無无勿别]/iu
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}._:/-]*(?<=[\p{L}\p{N}\p{M}])/gu
const sentenceEnd = /(?<=[.!?])\s+|(?<=[。！？])|\n+/u

/** The facts that a start context already contains. */
export class ShownFacts {
  readonly #facts: Fact[] = []

  /** Whether the context already contains the text, literally or in similar words. */
  repeats(text: string): boolean {
    const fact = readFact(text)
    return fact.normalized === '' || this.#facts.some((other) => isSame(fact, other))
  }

  /** Records a text and each of its sentences. */
  add(text: string): void {
    for (const part of new Set([text, ...text.split(sentenceEnd)])) {
      const fact = readFact(part)
      if (fact.normalized !== '') this.#facts.push(fact)
    }
  }

  /** The sentences that the context lacks. They count as shown. */
  takeNew(text: string): string {
    const sentences = text.split(sentenceEnd).filter((sentence) => !this.repeats(sentence))
    for (const sentence of sentences) this.add(sentence)
    return sentences.map((sentence) => sentence.trim()).join(' ')
  }
}

function readFact(whole: string): Fact {
  const text = whole.slice(0, maxFactLength)
  const normalized = normalize(text)
  const matches = [...text.matchAll(word)]
  const words = matches.map(([each]) => each.toLowerCase())
  const specifics = matches
    .filter(
      ({ 0: each, index }) =>
        /\d/.test(each) || isName(each, text.slice(Math.max(0, index - 4), index)),
    )
    .map(([each]) => each.toLowerCase())
  return {
    normalized,
    specifics,
    terms: termsOf(text),
    words: new Set(words),
    isNegated: words.some((each) => negations.has(each)) || negatedForms.test(text),
  }
}

/** The first word of a sentence may be in upper case without being a name. `before` has a few characters. */
function isName(text: string, before: string): boolean {
  return /^\p{Lu}/u.test(text) && /[\p{L}\p{N}]/u.test(before) && !/[.!?:]\s\W{0,2}$/.test(before)
}

function normalize(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}

/** A character of a script without spaces is in three terms: alone and in two pairs. */
function weightOf(term: string): number {
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u.test(term)
    ? 1 / 3
    : 1
}

function isSame(fact: Fact, other: Fact): boolean {
  if (` ${other.normalized} `.includes(` ${fact.normalized} `)) return true
  if (fact.terms.size < minTerms || fact.isNegated !== other.isNegated) return false
  if (!fact.specifics.every((specific) => other.words.has(specific))) return false
  const missing = [...fact.terms].filter((term) => !other.terms.has(term))
  if (missing.reduce((sum, term) => sum + weightOf(term), 0) > maxMissing) return false
  const shared = fact.terms.size - missing.length
  const all = fact.terms.size + other.terms.size - shared
  return shared / fact.terms.size >= minCoverage || shared / all >= minOverlap
}
