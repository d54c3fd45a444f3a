import {
  detectLanguage,
  dropChineseFunctionWords,
  isFunctionWord,
  type Language,
} from './function-words.ts'
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

/** Bits of text traits; only queries have the last three. */
export const trait = {
  question: 1,
  time: 2,
  number: 4,
  instruction: 8,
  preference: 16,
  summary: 32,
  order: 64,
  history: 128,
} as const

const question = /[?？]\s*$/
const time =
  /\b(?:yesterday|today|tomorrow|tonight|ago|last|next|since|this (?:week|month|year|morning|weekend|summer|winter|autumn|fall|spring)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|january|february|march|april|june|july|august|september|october|november|december|\d{4}|\d{1,2}(?:st|nd|rd|th|am|pm)|weeks?|months?|years?|days?|recently|just)\b/i
const number =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|couple|few|several|once|twice|dozen|hundred|thousand)\b/i
/** How things are to be done. */
const instructions = {
  en: 'always|never|whenever|from now on|every time',
  de: 'immer|niemals|nie|jedes mal|ab jetzt|ab sofort|von nun an|grundsätzlich|stets',
  es: 'siempre|nunca|jamás|cada vez|de ahora en adelante|a partir de ahora',
  fr: 'toujours|jamais|chaque fois|désormais|dorénavant|à partir de maintenant',
} as const
/** What the speaker likes; in Chinese it is not measured to help. */
const preferences = {
  en: "prefer|i like|i(?:'d| would) rather|favou?rite",
  de: 'bevorzuge|ziehe .{1,40} vor|ich mag|mag ich|am liebsten|lieber|lieblings\\p{L}*',
  es: 'prefiero|me gustan?|favorit[oa]s?',
  fr: "préfère|j'aime|favorite?s?|préférée?s?",
} as const
const chineseInstructions = '总是|始终|务必|一律|每次|从不|永远|从现在起|今后'
const instruction = toPattern(instructions, chineseInstructions)
const preference = toPattern(preferences)

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

/** Chinese has no spaces between words. */
function toPattern(table: Readonly<Record<Language, string>>, chinese = ''): RegExp {
  const spaced = String.raw`(?<![\p{L}\p{N}])(?:${Object.values(table).join('|')})(?![\p{L}\p{N}])`
  return new RegExp([spaced, ...(chinese === '' ? [] : [chinese])].join('|'), 'iu')
}

const asksTime =
  /\b(?:when|what (?:date|day|year|month|time)|which (?:date|day|year|month)|how long)\b/i
const asksNumber = /\bhow (?:many|much|often|old|far|long|big)\b/i

/** The English "resume" is no summary. */
const asksSummary =
  /(?<!\p{L})(?:summar(?:y|i[sz]e)|overview|zusammenfass(?:en|ung)|überblick|resum(?:en|ir)|r[ée]sum(?:er|ez)|res[uú]me(?= (?:el|las?|los?|mis?|nuestr|todo))|r[ée]sum[ée](?=-| (?:d[eu]s?|les?|la|mes|nos|tout)(?!\p{L})))(?!\p{L})|总结|概述|概括/iu
const asksOrder =
  /(?<!\p{L})(?:over time|throughout|across (?:our|all)|the order in which|in order(?! to)|timeline|chronological(?:ly)?|reihenfolge|im laufe|a lo largo|en qu[eé] orden|au fil|dans quel ordre)(?!\p{L})|顺序/iu

/** What the user has done, which no instruction changes. */
const asksHistory =
  /^\P{L}*(?:(?:have|did|had) (?:i|we)|(?:habe?|hatte) ich|(?:haben|hatten) wir|(?:he|hemos) \p{L}+[dt]o|ai-je|avons-nous)(?!\p{L})|我(?:们)?(?:有没有|是否|曾经)|我[^?？]*过[^?？]*[吗么]/iu

const queryPatterns = [
  [trait.time, asksTime],
  [trait.number, asksNumber],
  [trait.summary, asksSummary],
  [trait.order, asksOrder],
  [trait.history, asksHistory],
] as const

/** Traits of a likely answer, and whether the question wants a summary, an order or what the user did. */
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
