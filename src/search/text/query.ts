import { fold, isStopWord, readTerms } from './terms.ts'

interface ParsedQuery {
  readonly terms: readonly string[]
  /** Without names and stop words. */
  readonly words: readonly string[]
}

/** Removes names from the query, because they select the speaker; a query of names only keeps them. */
export function parseQuery(text: string, names: ReadonlySet<string>): ParsedQuery {
  const words = [...(fold(text).match(/[\p{L}\p{N}\p{M}']+/gu) ?? [])]
  const isName = (word: string) => names.has(word.replace(/'s?$/, ''))
  const otherWords = words.filter((word) => !isName(word))
  const searchedWords = readTerms(otherWords.join(' ')).length > 0 ? otherWords : words
  return {
    terms: readTerms(searchedWords.join(' ')),
    words: searchedWords.filter((word) => !isStopWord(word)),
  }
}

/** Roles are not names. */
const roles: readonly string[] = ['user', 'assistant', 'human', 'system', 'agent', 'tool', 'daemon']
const words = /[\p{L}\p{N}]+/gu
const minNameLength = 2

/** Words of a folded speaker name; none for a role. */
export function speakerNameWords(who: string): readonly string[] {
  return roles.includes(who) ? [] : wordsOf(who)
}

/** Words of a question that may be names. */
export function queryNameWords(question: string): readonly string[] {
  return wordsOf(fold(question))
}

function wordsOf(text: string): readonly string[] {
  return (text.match(words) ?? []).filter(({ length }) => length >= minNameLength)
}

/** Bits of text traits. */
export const trait = { question: 1, time: 2, number: 4, instruction: 8, preference: 16 } as const

const question = /[?？]\s*$/
const time =
  /\b(?:yesterday|today|tomorrow|tonight|ago|last|next|since|this (?:week|month|year|morning|weekend|summer|winter|autumn|fall|spring)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|january|february|march|april|june|july|august|september|october|november|december|\d{4}|\d{1,2}(?:st|nd|rd|th|am|pm)|weeks?|months?|years?|days?|recently|just)\b/i
const number =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|couple|few|several|once|twice|dozen|hundred|thousand)\b/i
const instruction = /\b(?:always|never|whenever|from now on|every time)\b/i
const preference = /\b(?:prefer|i like|i(?:'d| would) rather|favou?rite)\b/i

const patterns = [
  [trait.question, question],
  [trait.time, time],
  [trait.number, number],
  [trait.instruction, instruction],
  [trait.preference, preference],
] as const

export function readTraits(text: string): number {
  return patterns.reduce((traits, [bit, pattern]) => traits | (pattern.test(text) ? bit : 0), 0)
}

const asksTime =
  /\b(?:when|what (?:date|day|year|month|time)|which (?:date|day|year|month)|how long)\b/i
const asksNumber = /\bhow (?:many|much|often|old|far|long|big)\b/i

/** Traits of a likely answer. */
export function readQueryTraits(question: string): number {
  return (asksTime.test(question) ? trait.time : 0) | (asksNumber.test(question) ? trait.number : 0)
}

const spaced = /\S+/g
const spaceless =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu
const charactersPerWord = 2

/** Words between spaces; in scripts without spaces two characters count as one word. */
export function countWords(text: string): number {
  const characters = text.match(spaceless)?.length ?? 0
  const words = text.match(spaced)?.length ?? 0
  return Math.max(words, Math.round(characters / charactersPerWord))
}
