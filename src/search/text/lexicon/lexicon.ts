import type { Language } from '../function-words.ts'
import { fold, isSpaceless, readTerms } from '../terms.ts'
import { household } from './household.ts'
import { people } from './people.ts'
import { work } from './work.ts'
import { world } from './world.ts'

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

/** Foreign words that are English words of another meaning: a text with them is no translation. */
const falseFriends = new Set(
  `accord alter alto aide arme auto bad banda bar bas but boot boutique brackets brief bureau campo
  cave champ chat cher coin commander commence cost course de debut demi dent director essence etat
  excursion expedition fin foot for formation four fresco gang gel grand grange habits handy herd hose
  hut impression inferior invite journal junta kind lack laden land lang lent lit location main mal
  man mar marche match mere mesa musique note on page pain pan papa parent partition pass patron pays
  personal petite pie piece pieces pile place plan plus pont port portable porte pot premier prima
  primer prix probe promenade rama red reduction regal repetition reserve reservoir reunion revision
  rio robe rot rouge route rue sac sage sale salle salon sang scene service socio sol stage stein stock
  strand superior sur tag teller temps tier tod tor tour vale vent verse vin vis voyage wand ware`.split(
    /\s+/,
  ),
)

const minCompoundPart = 4
const minInflectedLength = 6
const inflections = /(?:en|em|er|es|n|e|s|r)$/u
const linkingLetters = /(?:en|es|er|n|s|e)?$/u

const languages = ['en', 'de', 'es', 'fr', 'zh'] as const
type Column = (typeof languages)[number]

interface Lexicon {
  /** Translations of a folded word; a German compound has one for each part. */
  translate(word: string, language: Language): readonly Translation[]
}

export function createLexicon(): Lexicon {
  const concepts = [people, household, work, world].flatMap(parseConcepts)
  const byTerm = indexByTerm(concepts)
  const find = (column: Column, term: string) => byTerm[column].get(term) ?? []
  return {
    translate: (word, language) => {
      if (isSpaceless(word)) return translateSpaceless(word, (part) => find('zh', part))
      const terms = readTerms(word)
      const [column, meanings] = findMeanings(word, language, find)
      return meanings.map((list) => toTranslation(terms, column, list))
    },
  }
}

type Find = (column: Column, term: string) => readonly Concept[]

/** Looks a word up in its language, and in the others if that has none. */
function findMeanings(
  word: string,
  language: Language,
  find: Find,
): readonly [Column, readonly (readonly Concept[])[]] {
  const columns = [language, ...languages.filter((column) => column !== language)]
  for (const column of columns) {
    const meanings = findIn(column, word, find)
    if (meanings.length > 0) return [column, meanings]
  }
  return [language, []]
}

function findIn(column: Column, word: string, find: Find): readonly (readonly Concept[])[] {
  const direct = find(column, toTerm(word))
  if (direct.length > 0) return [direct]
  if (column === 'en' || word.length < minInflectedLength) return []
  const base = find(column, toTerm(word.replace(inflections, '')))
  if (base.length > 0) return [base]
  return column === 'de' ? splitCompound(word, find) : []
}

/** The parts of a German compound, if the lexicon has both. */
function splitCompound(word: string, find: Find): readonly (readonly Concept[])[] {
  for (let at = word.length - minCompoundPart; at >= minCompoundPart; at--) {
    const head = word.slice(0, at)
    const left = [head, head.replace(linkingLetters, '')]
      .map((part) => find('de', toTerm(part)))
      .find(({ length }) => length > 0)
    const right = find('de', toTerm(word.slice(at)))
    if (left && right.length > 0) return [left, right]
  }
  return []
}

/** The longest words of the lexicon, from left to right. */
function translateSpaceless(
  text: string,
  find: (term: string) => readonly Concept[],
): readonly Translation[] {
  const characters = [...text]
  const translations: Translation[] = []
  for (let at = 0; at < characters.length; ) {
    const length = [4, 3, 2, 1].find(
      (length) => find(characters.slice(at, at + length).join('')).length > 0,
    )
    if (length !== undefined) {
      const word = characters.slice(at, at + length).join('')
      translations.push(toTranslation(readTerms(word), 'zh', find(word)))
    }
    at += length ?? 1
  }
  return translations
}

function toTranslation(
  terms: readonly string[],
  column: Column,
  concepts: readonly Concept[],
): Translation {
  const listTerms = (language: Column) => {
    const words = concepts.flatMap((concept) => concept[language])
    const own = language === 'en' ? words : words.filter((word) => !falseFriends.has(word))
    return [...new Set(own.map(toSearchTerm))].filter((term) => !terms.includes(term))
  }
  const synonyms = listTerms(column)
  const foreign = languages.filter((language) => language !== column).flatMap(listTerms)
  return {
    terms,
    synonyms,
    foreign: [...new Set(foreign)].filter((term) => !synonyms.includes(term)),
    english: column === 'en' ? [] : concepts.flatMap(({ en }) => en.slice(0, 1)),
  }
}

/** A longer Chinese word is searched by its first two characters. */
function toSearchTerm(word: string): string {
  return isSpaceless(word) ? [...word].slice(0, 2).join('') : toTerm(word)
}

function toTerm(word: string): string {
  return readTerms(word)[0] ?? word
}

function parseConcepts(table: string): Concept[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [en = [], de = [], es = [], fr = [], zh = []] = line
        .split('|')
        .map((words) => fold(words).trim().split(/\s+/).filter(Boolean))
      return { en, de, es, fr, zh }
    })
}

function indexByTerm(concepts: readonly Concept[]): Record<Column, Map<string, Concept[]>> {
  const index = { en: new Map(), de: new Map(), es: new Map(), fr: new Map(), zh: new Map() }
  for (const concept of concepts)
    for (const language of languages)
      for (const word of concept[language]) {
        const key = language === 'zh' ? word : toTerm(word)
        const list: Concept[] = index[language].get(key) ?? []
        index[language].set(key, [...list, concept])
      }
  return index
}
