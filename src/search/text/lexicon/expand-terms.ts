import type { Replacement } from '../../engine.ts'
import { isSpaceless } from '../terms.ts'
import type { Translation } from './lexicon.ts'

/** Terms of one meaning; one of them suffices. */
export type TermGroup = readonly WeightedTerm[]

interface WeightedTerm {
  readonly term: string
  /** 0 to 1. */
  readonly weight: number
  /** Whether it is a word of another language than the query. */
  readonly isForeign: boolean
}

const foreignWeight = 0.9
const synonymWeight = 0.7
const maxAlternatives = 6
const maxKnownPairs = 0.2
/** Bounds the work for one query. */
const maxTranslated = 16

interface ExpandedQuery {
  readonly groups: readonly TermGroup[]
  /** The terms of the same meaning that the index has. */
  readonly replacements: readonly Replacement[]
  /** English words in place of the words that the index lacks. */
  readonly english: readonly string[]
}

/**
 * Adds terms of the same meaning that the index has. They replace a term that it lacks. Unknown
 * pairs of characters are dropped then, because most of them cross the words.
 */
export function expandTerms(
  terms: readonly string[],
  translations: readonly Translation[],
  hasTerm: (term: string) => boolean,
): ExpandedQuery {
  const found = listNeeded(terms, translations, hasTerm)
    .slice(0, maxTranslated)
    .map((translation) => ({ ...translation, group: listAlternatives(translation, hasTerm) }))
    .filter(({ group }) => group.length > 0)
  const replaced = found.filter((one) => !one.terms.some((term) => isWord(term) && hasTerm(term)))
  const extended = found.filter((one) => !replaced.includes(one))
  const dropsPairs = replaced.some((one) => one.terms.some(isSpaceless))
  const isSearched = (term: string) =>
    !replaced.some((one) => one.terms.includes(term)) &&
    !(dropsPairs && isSpaceless(term) && !hasTerm(term))
  const remaining = [...new Set(terms)]
    .filter(isSearched)
    .map((term) => [
      { term, weight: 1, isForeign: false },
      ...extended.filter((one) => one.terms.at(-1) === term).flatMap(({ group }) => group),
    ])
  return {
    replacements: found.flatMap(({ terms: [from = ''], group }) =>
      group.map(({ term: to }) => ({ from, to })),
    ),
    groups: [...remaining, ...replaced.map(({ group }) => group)],
    english: replaced.flatMap(({ english }) => english.slice(0, 1)),
  }
}

/** An index with many pairs of characters of the query has texts in its language. */
function listNeeded(
  terms: readonly string[],
  translations: readonly Translation[],
  hasTerm: (term: string) => boolean,
): readonly Translation[] {
  const pairs = terms.filter((term) => isSpaceless(term) && isWord(term))
  const isKnownLanguage = pairs.filter(hasTerm).length > maxKnownPairs * pairs.length
  return isKnownLanguage ? translations.filter((one) => !one.terms.some(isSpaceless)) : translations
}

function listAlternatives(
  { terms, synonyms, foreign }: Translation,
  hasTerm: (term: string) => boolean,
): TermGroup {
  const isKnown = terms.some((term) => isWord(term) && hasTerm(term))
  return [
    ...foreign.map((term) => ({ term, weight: foreignWeight, isForeign: true })),
    ...(isKnown ? [] : synonyms).map((term) => ({ term, weight: synonymWeight, isForeign: false })),
  ]
    .filter(({ term }) => hasTerm(term))
    .slice(0, maxAlternatives)
}

/** A single character says little. */
function isWord(term: string): boolean {
  return [...term].length > 1 || !isSpaceless(term)
}
