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

/** Bits of text traits; only queries have the last five. */
export const trait = {
  question: 1,
  time: 2,
  number: 4,
  instruction: 8,
  preference: 16,
  summary: 32,
  order: 64,
  history: 128,
  help: 256,
  advice: 512,
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
/** After such a word, the same words state what is or has been, as in "I have never". */
const statements = {
  en: 'not|i|we|he|she|it|they|who|have|has|had|ve|d|am|m|was|were|t',
  de: 'ich|wir|er|noch|habe|haben|hat|hatte|hatten|bin|war|waren',
  es: 'yo|he|ha|hemos|han|había',
  fr: 'ai|a|avons|ont|avais|avait|suis|étais',
} as const
/** What the speaker likes; in Chinese it is not measured to help. */
const preferences = {
  en: "prefer|i like|i(?:'d| would) rather|favou?rite",
  de: 'bevorzuge|ziehe .{1,40} vor|ich mag|mag ich|am liebsten|lieber|lieblings\\p{L}*',
  es: 'prefiero|me gustan?|favorit[oa]s?',
  fr: "préfère|j'aime|favorite?s?|préférée?s?",
} as const
const chineseInstructions = '务必|一律|每次|从现在起|今后|(?<![我他她它们])(?:总是|始终|从不|永远)'
const instruction = toPattern(instructions, {
  chinese: chineseInstructions,
  notAfter: joinWords(statements),
  notBefore: statements.es,
})
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

type Words = Readonly<Record<Language, string>>

interface PatternContext {
  /** Chinese has no spaces between words. */
  readonly chinese?: string
  /** Words that exclude the match, before and after it. */
  readonly notAfter?: string
  readonly notBefore?: string
}

function toPattern(table: Words, { chinese, notAfter, notBefore }: PatternContext = {}): RegExp {
  const words = `(?:${joinWords(table)})`
  // The words are tested first, because few texts have them.
  const follows = notAfter ? String.raw`(?<!(?<!\p{L})(?:${notAfter})\s+${words})` : ''
  const precedes = notBefore ? String.raw`(?!\s+(?:${notBefore})(?!\p{L}))` : ''
  const spaced = String.raw`(?<![\p{L}\p{N}])${words}(?![\p{L}\p{N}])${follows}${precedes}`
  return new RegExp([spaced, ...(chinese ? [chinese] : [])].join('|'), 'iu')
}

function joinWords(table: Words): string {
  return Object.values(table).join('|')
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

/** What the user is to do, or what the assistant is to do now; a preference applies to it. */
const asksHelp = toPattern(
  {
    en: '(?:should|can|could|shall|may) (?:i|we)|how (?:do|would) (?:i|we)|(?:would|do|can|could|will) you (?:suggest|recommend|advise|think|help|show|explain|walk|teach|guide)|help me|show me how|best way',
    de: String.raw`(?:soll(?:te)?|kann|könnte|darf) (?:ich|man)|(?:sollten|können|könnten|dürfen) wir|wie (?!habe|hatte)\p{L}+e ich|(?:kannst|könntest|würdest|empfiehlst|rätst) du|(?:hilf|zeige?|erkläre?) mir`,
    es: 'debo|debería(?:mos)?|puedo|podemos|podría(?:mos|s)?|puedes|ayúdame|muéstrame|explícame|(?:recomienda|recomendaría|sugiere|sugeriría|aconseja|aconsejaría)s',
    fr: '(?:dois|puis|devrais|pourrais)-je|(?:devons|pouvons)-nous|(?:peux|pourrais)-tu|(?:pouvez|pourriez)-vous|(?:aide|montre|explique)-moi|(?:conseille|recommande|suggère)(?:rai)?s-tu',
  },
  { chinese: '我(?:们)?(?:应该|该|可以|能)|(?:帮|教)我|怎么(?:做|办)|如何' },
)

/** What the assistant has said. */
const asksAdvice = toPattern(
  {
    en: "(?:did|have|had) you|you(?:['’]ve| have| had)? (?:said|told|recommended|suggested|advised|mentioned|gave|given|explained|proposed)|your (?:advice|recommendations?|suggestions?|answers?)",
    de: String.raw`(?:hast|hattest) du|du (?:mir |uns )?\p{L}+ hast|haben sie (?:mir|uns)|dein(?:e[nr]?)? (?:rat|empfehlung|vorschlag|vorschläge|antwort)`,
    es: '(?:dij|recomenda|sugeri|aconseja|explica|propus|menciona)i?ste|has (?:dicho|recomendado|sugerido|aconsejado|explicado|propuesto)|tus? (?:consejos?|recomendaci[oó]n(?:es)?|sugerencias?|respuestas?)',
    fr: "as-tu|avez-vous|tu (?:m['’]|nous )?as|t[ae]s? (?:conseils?|recommandations?|suggestions?|réponses?)",
  },
  {
    chinese: '你(?:之前|以前|上次|曾)|你[^？?]{0,6}(?:说|建议|推荐|解释|告诉|提)[^？?]{0,2}[过了]',
  },
)

const queryPatterns = [
  [trait.time, asksTime],
  [trait.number, asksNumber],
  [trait.summary, asksSummary],
  [trait.order, asksOrder],
  [trait.history, asksHistory],
  [trait.help, asksHelp],
  [trait.advice, asksAdvice],
] as const

/** Traits of a likely answer, and whether the question wants a summary, an order, what the user did, help or advice. */
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
