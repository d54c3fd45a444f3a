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

/** Longer texts have several subjects. */
const maxLength = 300
const sentence = /[^.!?;:]+/gu
const clause = /[^.!?;:,]+/gu
const capitalised = /(?<![\p{L}\p{N}_-])\p{Lu}[\p{L}\p{M}]+/gu
const lowerCase = /(?<![\p{L}\p{N}_'’-])\p{Ll}[\p{L}\p{M}]+/gu

export interface SuccessorQuestion {
  readonly query: string
  readonly tense: Tense
  /** The end of the time that the question names. */
  readonly until?: string | undefined
  readonly hasAnswerType: (content: string) => boolean
  /** The identifiers and names of the question. */
  readonly terms: readonly SpecificTerm[]
}

/**
 * The newest text that says what became of the value that the best hit gives: a sentence of it begins
 * with a name that the best hit has and the question does not, and it announces a change.
 */
export function findSuccessor<Hit extends AnswerHit>(
  best: AnswerHit,
  hits: readonly Hit[],
  { query, tense, until = '\uffff', hasAnswerType, terms }: SuccessorQuestion,
): Hit | undefined {
  if (tense !== 'present' && tense !== 'unspecified') return undefined
  const names = listNames(best.content, readTerms(query))
  if (names.length === 0) return undefined
  const isProper = createProperTest([query, best.content, ...hits.map(({ content }) => content)])
  return hits
    .filter(
      (hit) =>
        hit.createdAt > best.createdAt &&
        hit.createdAt < until &&
        isComparable(hit, best) &&
        names.some((name) => isAbout(name, hit.content, best.content) && isProper(name)) &&
        (announcesChange(hit.content) || announcesEnd(hit.content)) &&
        hasAnswerType(hit.content) &&
        coverSpecificTerms(terms, { ...hit, who: '' }) === 1,
    )
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0]
}

/** The capitalised words of the sentence with most of the question; none in German, as its nouns have capitals. */
function listNames(content: string, questionTerms: readonly string[]): readonly string[] {
  if (content.length > maxLength || detectLanguage(splitWords(fold(content))) === 'de') return []
  const termSet = new Set(questionTerms)
  const countQuestionTerms = (part: string) =>
    readTerms(part).filter((term) => termSet.has(term)).length
  const [answer = ''] = (content.match(sentence) ?? []).toSorted(
    (a, b) => countQuestionTerms(b) - countQuestionTerms(a),
  )
  return [...new Set(answer.match(capitalised))].filter((name) => !termSet.has(toTerm(name)))
}

/** Whether a clause of the text begins with the name, which is not that of another. */
function isAbout(name: string, content: string, other: string): boolean {
  if (content.length > maxLength || !content.includes(name)) return false
  const begins = (content.match(clause) ?? []).some((part) => isFirst(name, part))
  return begins && !isNamesake(name, content, other)
}

/** "Anna …", and "farewell to Anna". */
function isFirst(name: string, part: string): boolean {
  const [first, second] = readContentTerms(part)
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
