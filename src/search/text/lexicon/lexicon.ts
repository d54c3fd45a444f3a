import type { Language } from '../function-words.ts'
import { fold, isSpaceless, readTerms, stem } from '../terms.ts'
import { isFalseFriend } from './false-friends.ts'
import { fields } from './fields.ts'
import { listGermanBases, listGermanForms } from './german-forms.ts'
import { listSpacelessWords } from './spaceless-words.ts'

/** Words with one meaning, as search terms. */
interface Concept {
  readonly en: readonly string[]
  readonly de: readonly string[]
  readonly es: readonly string[]
  readonly fr: readonly string[]
  readonly zh: readonly string[]
}

/** A word of a query with search terms that mean the same. */
export interface Translation {
  /** The terms of the word itself. */
  readonly terms: readonly string[]
  readonly synonyms: readonly string[]
  /** Words of other languages. */
  readonly foreign: readonly string[]
  /** English words of that meaning, if the word is not English. */
  readonly english: readonly string[]
}

const minCompoundPart = 4
/** Each place of a split is tried, so that longer words would take long. */
const maxCompoundLength = 48
const minInflectedLength = 6
const inflections = /(?:en|em|er|es|n|e|s|r)$/u
const hasEnding = /(?:s|ed|ing)$/u
const linkingLetters = /(?:en|es|er|n|s|e)?$/u

const languages = ['en', 'de', 'es', 'fr', 'zh'] as const
type Column = (typeof languages)[number]

type RowsByWord = ReadonlyMap<string, readonly number[]>

interface Lexicon {
  /** Translations of a folded word; a German compound has one for each part. */
  translate(word: string, language: Language): readonly Translation[]
}

export function createLexicon(): Lexicon {
  const rows = Object.values(fields).flatMap((table) => fold(table).trim().split('\n'))
  const index = indexRows(rows)
  const find = (column: Column, word: string) => {
    const term = toTerm(word)
    const numbers = [word, term, `${term}e`].flatMap((key) => index[column].get(key) ?? [])
    const concepts = [...new Set(numbers)].map((number) => parseConcept(rows[number] ?? ''))
    const exact = concepts.filter((concept) => concept[column].includes(word))
    return exact.length > 0 ? exact : concepts
  }
  return {
    translate: (word, language) => {
      if (isSpaceless(word))
        return listSpacelessWords(word, (part) => index.zh.has(part)).map((part) =>
          toTranslation(readTerms(part), 'zh', find('zh', part)),
        )
      const terms = readTerms(word)
      const [column, meanings] = findMeanings(word, language, find)
      return meanings.map((list) => toTranslation(terms, column, list))
    },
  }
}

/** The concepts with the word itself, or else with a word of the same stem. */
type Find = (column: Column, word: string) => readonly Concept[]

/**
 * Looks a word up in its language, and in the others if that has none. False friends are looked up
 * in their language only.
 */
function findMeanings(
  word: string,
  language: Language,
  find: Find,
): readonly [Column, readonly (readonly Concept[])[]] {
  const others = isFalseFriend(word) ? [] : languages.filter((column) => column !== language)
  for (const column of [language, ...others]) {
    const meanings = findIn(column, word, find)
    if (meanings.length > 0) return [column, meanings]
  }
  return [language, []]
}

function findIn(column: Column, word: string, find: Find): readonly (readonly Concept[])[] {
  const found = [word, ...listBases(word, column)]
    .map((base) => find(column, base))
    .find((concepts) => concepts.length > 0)
  if (found) return [found]
  return column === 'de' ? splitCompound(word, find) : []
}

function listBases(word: string, column: Column): readonly string[] {
  if (column === 'de') return listGermanBases(word)
  if (column === 'en' || word.length < minInflectedLength) return []
  return [word.replace(inflections, '')]
}

/** The parts of a German compound, if the lexicon has both. */
function splitCompound(word: string, find: Find): readonly (readonly Concept[])[] {
  if (word.length > maxCompoundLength) return []
  for (let at = word.length - minCompoundPart; at >= minCompoundPart; at--) {
    const head = word.slice(0, at)
    const left = [head, head.replace(linkingLetters, '')]
      .map((part) => find('de', part))
      .find(({ length }) => length > 0)
    const tail = word.slice(at)
    const right = [tail, ...listGermanBases(tail)]
      .map((part) => find('de', part))
      .find(({ length }) => length > 0)
    if (left && right) return [left, right]
  }
  return []
}

function toTranslation(
  terms: readonly string[],
  column: Column,
  concepts: readonly Concept[],
): Translation {
  const listTerms = (language: Column) => {
    const words = concepts.flatMap((concept) => concept[language])
    const own = language === 'en' ? words : words.filter((word) => !isFalseFriend(word))
    return [...new Set(own.map(toSearchTerm))].filter((term) => !terms.includes(term))
  }
  const germanForms = listForms(concepts).filter((term) => !terms.includes(term))
  const synonyms = [...listTerms(column), ...(column === 'de' ? germanForms : [])]
  const foreign = [
    ...languages.filter((language) => language !== column).flatMap(listTerms),
    ...(column === 'de' ? [] : germanForms),
  ]
  return {
    terms,
    synonyms: [...new Set(synonyms)],
    foreign: [...new Set(foreign)].filter((term) => !synonyms.includes(term)),
    english: column === 'en' ? [] : concepts.flatMap(({ en }) => en.slice(0, 1)),
  }
}

/** Search terms of inflected German words, which the stemmer does not reduce. */
function listForms(concepts: readonly Concept[]): readonly string[] {
  return concepts
    .flatMap(({ de }) => de.filter((word) => !isFalseFriend(word)))
    .flatMap(listGermanForms)
    .filter((word) => !isFalseFriend(word))
    .map(toSearchTerm)
}

/** A longer Chinese word is searched by its first two characters. */
function toSearchTerm(word: string): string {
  return isSpaceless(word) ? [...word].slice(0, 2).join('') : toTerm(word)
}

function toTerm(word: string): string {
  return readTerms(word)[0] ?? word
}

/** Rows are parsed when a query needs them, which saves memory and time at the start. */
function parseConcept(row: string): Concept {
  const [en = [], de = [], es = [], fr = [], zh = []] = row.split('|').map(splitCell)
  return { en, de, es, fr, zh }
}

function splitCell(cell: string): string[] {
  return cell.split(' ').filter((word) => word !== '')
}

/** The numbers of the rows with a word, by language. */
function indexRows(rows: readonly string[]): Record<Column, RowsByWord> {
  const index = languages.map(() => new Map<string, readonly number[]>())
  for (const [number, row] of rows.entries()) {
    const single = [number]
    for (const [at, cell] of row.split('|').entries())
      for (const word of splitCell(cell)) addRow(index[at], word, single)
  }
  const [en = new Map(), de = new Map(), es = new Map(), fr = new Map(), zh = new Map()] = index
  return { en, de, es, fr, zh }
}

/** A word with an ending is found by its stem too. Few words are stemmed at the start, which takes time. */
function addRow(
  index: Map<string, readonly number[]> | undefined,
  word: string,
  row: readonly number[],
): void {
  for (const key of hasEnding.test(word) ? [word, stem(word)] : [word]) {
    const numbers = index?.get(key)
    index?.set(key, numbers ? [...numbers, ...row] : row)
  }
}
