import {
  detectLanguage,
  fold,
  readContentTerms,
  readTerms,
  splitWords,
} from '../../../search/index.ts'
import { coverSpecificTerms } from './coverage.ts'
import type { AnswerHit } from './hit.ts'
import type { SpecificTerm } from './specific-terms.ts'
import { isComparable } from './subject.ts'
import { announcesChange, announcesEnd, type Tense } from './tense-words.ts'
import { haveOtherValues, readValues } from './values.ts'

/** Longer texts have several subjects. */
const maxLength = 300
const sentence = /[^.!?;:]+/gu
const clause = /[^.!?;:,]+/gu
const capitalised = /(?<![\p{L}\p{N}_-])\p{Lu}[\p{L}\p{M}]+/gu
/** Of German words with a capital, only those after a title are names. */
const titled = /(?<!\p{L})(?:Frau|Herrn?|Dr|Prof|Firma|Familie)\s+(?<name>\p{Lu}[\p{L}\p{M}]+)/gu
const titles: ReadonlySet<string> = new Set(
  'mr mrs ms dr prof frau herr herrn firma familie senor senora sr sra monsieur madame'
    .split(' ')
    .map(toTerm),
)
/** The full stop of a title ends no sentence. */
const titleStop = /(?<!\p{L})(?<title>Mr|Mrs|Ms|Dr|Prof|Sr|Sra)\./gu
const correction =
  /^\P{L}*(?:correction|erratum|korrektur|berichtigung|correccion|rectification|rectificacion)(?!\p{L})/u
const lowerCase = /(?<![\p{L}\p{N}_'’-])\p{Ll}[\p{L}\p{M}]+/gu

export interface SuccessorQuestion {
  readonly query: string
  readonly tense: Tense
  /** The end of the time that the question names. */
  readonly until?: string | undefined
  readonly hasAnswerType: (content: string) => boolean
  /** The identifiers and names of the question. */
  readonly terms: readonly SpecificTerm[]
  /** Whether the question asks for a number or a time. */
  readonly isForValue: boolean
}

/**
 * The newest text that says what became of the value that the best hit gives. It announces a change, and
 * a sentence of it begins with a name that the best hit has and the question does not, or it gives another
 * value to what the question names.
 */
export function findSuccessor<Hit extends AnswerHit>(
  best: AnswerHit,
  hits: readonly Hit[],
  question: SuccessorQuestion,
): Hit | undefined {
  const { query, tense, until = '\uffff', hasAnswerType, terms } = question
  if (tense !== 'present' && tense !== 'unspecified') return undefined
  const names = listNames(best.content, readTerms(query))
  const isNewValue = createValueTest(best, question)
  const bestTerms = new Set(readTerms(best.content))
  const queryTerms = new Set(readTerms(query))
  const isCorrection = ({ content }: Hit) => {
    const subject = readCorrected(content)
    return subject !== undefined && bestTerms.has(subject) && queryTerms.has(subject)
  }
  const isProper = createProperTest([query, best.content, ...hits.map(({ content }) => content)])
  const isOfName = ({ content }: Hit) =>
    names.some((name) => isAbout(name, content, best.content) && isProper(name)) &&
    (announcesChange(content) || announcesEnd(content))
  return hits
    .filter(
      (hit) =>
        hit.createdAt > best.createdAt &&
        hit.createdAt < until &&
        isComparable(hit, best) &&
        (isOfName(hit) || isNewValue?.(hit) || isCorrection(hit)) &&
        hasAnswerType(hit.content) &&
        coverSpecificTerms(terms, { ...hit, who: '' }) === 1,
    )
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0]
}

/** The first term after the word for a correction, with which a text begins. */
function readCorrected(content: string): string | undefined {
  return correction.test(fold(content)) ? readContentTerms(content)[1] : undefined
}

/** Tests whether a text changes the value of what the question names; undefined if it names nothing or no value. */
function createValueTest(
  best: AnswerHit,
  { terms, isForValue }: SuccessorQuestion,
): ((hit: AnswerHit) => boolean) | undefined {
  const hasName = terms.some(({ kind }) => kind !== 'number')
  if (!isForValue || !hasName || coverSpecificTerms(terms, { ...best, who: '' }) < 1)
    return undefined
  const values = readValues(best.content)
  return ({ content }) => announcesChange(content) && haveOtherValues(readValues(content), values)
}

/** The names of the sentence with most of the question. */
function listNames(text: string, questionTerms: readonly string[]): readonly string[] {
  if (text.length > maxLength) return []
  const content = text.replaceAll(titleStop, '$<title>')
  const termSet = new Set(questionTerms)
  const countQuestionTerms = (part: string) =>
    readTerms(part).filter((term) => termSet.has(term)).length
  const [answer = ''] = (content.match(sentence) ?? []).toSorted(
    (a, b) => countQuestionTerms(b) - countQuestionTerms(a),
  )
  const isGerman = detectLanguage(splitWords(fold(content))) === 'de'
  const names = isGerman
    ? [...answer.matchAll(titled)].map(({ groups: { name = '' } = {} }) => name)
    : answer.match(capitalised)
  return [...new Set(names)].filter(
    (name) => !termSet.has(toTerm(name)) && !titles.has(toTerm(name)),
  )
}

/** Whether a clause of the text begins with the name, which is not that of another. */
function isAbout(name: string, content: string, other: string): boolean {
  if (content.length > maxLength || !content.includes(name)) return false
  const clauses = content.replaceAll(titleStop, '$<title>').match(clause) ?? []
  const begins = clauses.some((part) => isFirst(name, part))
  return begins && !isNamesake(name, content, other)
}

/** "Anna …", "Mrs Anna …", and "farewell to Anna". */
function isFirst(name: string, part: string): boolean {
  const [first, second] = readContentTerms(part).filter((term) => !titles.has(term))
  const term = toTerm(name)
  return first === term || (second === term && announcesEnd(part.slice(0, part.indexOf(name))))
}

/** "Anna B." and "Anna Carver" are two. */
function isNamesake(name: string, content: string, other: string): boolean {
  const fullName = new RegExp(String.raw`(?<!\p{L})${name}\s\p{Lu}\p{L}*`, 'u')
  const full = fullName.exec(content)?.[0]
  return full !== undefined && fullName.test(other) && !other.includes(full)
}

/** A word that somewhere has a small initial is no name. */
function createProperTest(texts: readonly string[]): (name: string) => boolean {
  let common: ReadonlySet<string> | undefined
  return (name) => {
    common ??= new Set(texts.flatMap((text) => (text.match(lowerCase) ?? []).map(toTerm)))
    return !common.has(toTerm(name))
  }
}

function toTerm(word: string): string {
  return readTerms(word)[0] ?? word
}
