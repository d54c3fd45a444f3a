import {
  detectLanguage,
  fold,
  type Language,
  readContentTerms,
  splitWords,
} from '../../../search/index.ts'
import { phraseTables } from './time-words.ts'

const isInText = (phrase: string) => `(?<![\\p{L}\\p{N}])(?:${phrase})(?![\\p{L}\\p{N}])`
const toPatterns = (table: readonly (readonly [string, string])[]) =>
  table.map(([phrase, english]) => [new RegExp(isInText(phrase), 'gu'), english] as const)
const phrases = {
  de: toPatterns(phraseTables.de),
  es: toPatterns(phraseTables.es),
  fr: toPatterns(phraseTables.fr),
  zh: phraseTables.zh.map(
    ([phrase, english]) => [new RegExp(phrase, 'gu'), ` ${english} `] as const,
  ),
}
const toAnyPattern = (table: readonly (readonly [string, string])[]) =>
  new RegExp(isInText(table.map(([phrase]) => phrase).join('|')), 'u')
const anyPhrase = {
  de: toAnyPattern(phraseTables.de),
  es: toAnyPattern(phraseTables.es),
  fr: toAnyPattern(phraseTables.fr),
}
const foreignLanguages: readonly Exclude<Language, 'en'>[] = ['de', 'es', 'fr']

/** The folded question with time phrases of other languages in English. */
export function toEnglishPhrases(question: string): string {
  // A capital letter distinguishes the month from the verb.
  const folded = fold(question.replaceAll(/(?<=\S\s+)May\b|^May(?= \d)/g, 'month5'))
  const counts = foreignLanguages.map((language) =>
    anyPhrase[language].test(folded)
      ? phrases[language].filter(([pattern]) => folded.search(pattern) >= 0).length
      : 0,
  )
  const best = Math.max(...counts)
  const detected = foreignLanguages.findIndex(
    (known) => known === detectLanguage(splitWords(folded)),
  )
  const language = foreignLanguages[counts[detected] === best ? detected : counts.indexOf(best)]
  return [...(best > 0 && language ? phrases[language] : []), ...phrases.zh]
    .reduce((text, [pattern, english]) => text.replaceAll(pattern, english), folded)
    .replaceAll(/\s+/g, ' ')
}

/** Words of a Chinese question for what happened, besides question words. */
const chineseFillers = /发生|事情|大家|[我你他她们做干有过了的些事都]/gu

/** The whole question, because its time phrase matches dates in notes, unless only the phrase has content. */
export function toChineseRest(question: string, rest: string): string {
  const others = rest.replaceAll(chineseFillers, ' ')
  return readContentTerms(others).length === 0 ? others.trim() : question
}
