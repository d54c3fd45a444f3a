import { detectLanguage, dropChineseFunctionWords, isFunctionWord } from './function-words.ts'
import { fold, readTerms } from './terms.ts'

/** The distinct terms of a query without function words. */
export function readContentTerms(text: string): readonly string[] {
  return [...new Set(readTerms(listContentWords(splitWords(fold(text))).join(' ')))]
}

/** The words of a query without function words. */
export function listContentWords(words: readonly string[]): string[] {
  const language = detectLanguage(words)
  return words
    .filter((word) => !isFunctionWord(word, language))
    .flatMap((word) => splitWords(dropChineseFunctionWords(word)))
}

export function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}']+/gu) ?? []
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

/** Bits of text traits; only queries have the last two. */
export const trait = {
  question: 1,
  time: 2,
  number: 4,
  instruction: 8,
  preference: 16,
  summary: 32,
  order: 64,
} as const

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

const asksSummary =
  /(?<!\p{L})(?:summar(?:y|i[sz]e)|overview|zusammenfass(?:en|ung)|überblick|resum(?:en|e|ir)|r[ée]sum[ée]r?)(?!\p{L})|总结|概述|概括/iu
const asksOrder =
  /(?<!\p{L})(?:over time|throughout|across (?:our|all)|the order in which|in order(?! to)|timeline|chronological(?:ly)?|reihenfolge|im laufe|a lo largo|en qu[eé] orden|au fil|dans quel ordre)(?!\p{L})|顺序/iu

const queryPatterns = [
  [trait.time, asksTime],
  [trait.number, asksNumber],
  [trait.summary, asksSummary],
  [trait.order, asksOrder],
] as const

/** Traits of a likely answer, and whether the question wants a summary or an order. */
export function readQueryTraits(question: string): number {
  return queryPatterns.reduce(
    (traits, [bit, pattern]) => traits | (pattern.test(question) ? bit : 0),
    0,
  )
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
