import { fold } from '../../../search/index.ts'
import { type AnswerType, questionForms, valueWords } from './answer-type-words.ts'
import { isCalendarWord } from './calendar-words.ts'

/** A text as a possible answer. */
interface Candidate {
  readonly text: string
  readonly folded: string
  /** Its folded words, and those of the question. */
  readonly words: readonly string[]
  readonly questionWords: ReadonlySet<string>
}

/** A number that is no part of an identifier or of a time of day. */
const amount = /(?<![\p{L}\p{N}_:#-])\p{N}+(?:[.,]\p{N}+)*(?![\p{N}:]|-\p{L})/u
/** A number with another unit than one of time. */
const measure =
  /\p{N}+(?:[.,]\p{N}+)*\s?(?:km|kg|g|m|cm|mm|kb|mb|gb|%|percent|euros?|eur|dollars?|usd)(?!\p{L})/gu
/** A number with a unit that is no price. */
const physical =
  /\p{N}+(?:[.,]\p{N}+)*\s?(?:km|kg|g|m|cm|mm|kb|mb|gb|kwh?|degrees?|grad|grados?|degres?|°c?)(?!\p{L})/gu
const contact = /@|\p{N}{3}/u
const capitalised = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}\p{M}'’&.-]*/gu
/** A capital letter that begins no sentence, or a quotation. */
const properName =
  /(?:[\p{L}\p{N},;:)]\s+)\p{Lu}[\p{L}\p{N}\p{M}'’&.-]*|["“„«'‘]\p{L}[^"”“»'’]*["”“»'’]/gu
const roleEnding = /(?:er|or|ist|man|woman|ian|in|eur|ero|era)s?$/u
const minRoleLength = 5
/** "maintained by an agency" */
const agent = /(?<!\p{L})(?:by|von|vom|por|par)\s+\p{L}/u
const digit = /\p{N}/u
const spaceless = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u
const word = /[\p{L}\p{N}\p{M}]+/gu

const hasValue: Readonly<Record<AnswerType, (candidate: Candidate) => boolean>> = {
  amount: ({ folded, words }) =>
    amount.test(folded.replaceAll(physical, ' ')) || hasWord(words, valueWords.amount),
  number: ({ folded, words }) => digit.test(folded) || hasWord(words, valueWords.number),
  duration: ({ words }) => words.some((word) => valueWords.unit.has(word.replace(/^\p{N}+/u, ''))),
  time: ({ folded, words }) =>
    digit.test(folded.replaceAll(measure, ' ')) ||
    words.some((word) => valueWords.time.has(word) || isDay(word)),
  frequency: ({ folded, words }) =>
    digit.test(folded) || hasWord(words, valueWords.frequency) || words.some(isDay),
  colour: ({ words }) => hasWord(words, valueWords.colour),
  contact: ({ folded }) => contact.test(folded),
  name: ({ text, questionWords }) => hasNewName(text.match(properName), questionWords),
  person: ({ text, folded, words, questionWords }) =>
    agent.test(folded) ||
    hasNewName(text.match(capitalised), questionWords) ||
    words.some((word) => !questionWords.has(word) && isRole(word)),
}

const patterns = questionForms.map(({ type, spaced, chinese }) => ({
  type,
  spaced: new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${spaced.join('|')})(?![\p{L}\p{N}])`, 'u'),
  chinese,
}))

const measured: ReadonlySet<AnswerType | undefined> = new Set<AnswerType>([
  'amount',
  'number',
  'duration',
  'time',
  'frequency',
])

/** Whether a question needs a number or a time. */
export function asksForValue(question: string): boolean {
  return measured.has(readType(fold(question)))
}

function readType(folded: string): AnswerType | undefined {
  return patterns.find(({ spaced, chinese }) => spaced.test(folded) || chinese?.test(folded))?.type
}

/** Whether a text has a value of the kind that the question needs; true for other questions. */
export function createTypeTest(question: string): (text: string) => boolean {
  const folded = fold(question)
  const type = readType(folded)
  if (type === undefined) return () => true
  const questionWords = new Set(folded.match(word) ?? [])
  return (text) => {
    // Scripts without spaces have no capitals, and their numbers are in many words.
    if (spaceless.test(text)) return true
    const folded = fold(text)
    return hasValue[type]({ text, folded, words: folded.match(word) ?? [], questionWords })
  }
}

function hasNewName(names: readonly string[] | null, questionWords: ReadonlySet<string>): boolean {
  return (names ?? []).some((name) =>
    (fold(name).match(word) ?? []).some(
      (part) =>
        part.length > 1 &&
        !questionWords.has(part) &&
        !isDay(part) &&
        !valueWords.sentenceStart.has(part),
    ),
  )
}

function hasWord(words: readonly string[], set: ReadonlySet<string>): boolean {
  return words.some((word) => set.has(word))
}

/** "Monday", "mondays" and "montags". */
function isDay(word: string): boolean {
  return isCalendarWord(word) || (word.endsWith('s') && isCalendarWord(word.slice(0, -1)))
}

function isRole(word: string): boolean {
  return valueWords.person.has(word) || (word.length >= minRoleLength && roleEnding.test(word))
}
