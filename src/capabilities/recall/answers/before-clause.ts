import { fold, readContentTerms, readTerms } from '../../../search/index.ts'
import { isCalendarWord } from './calendar-words.ts'
import type { Adjustment, AnswerHit } from './hit.ts'
import { isAboutEvent } from './tense-words.ts'

const english = String.raw`before|prior to`
/** These may also name a place. */
const others = String.raw`bevor|vor|antes del?|avant`
const article = String.raw`(?:(?:the|we|our|der|die|das|dem|den|la|el|los|las|le|les|l')\s*(?<=[\s']))?`
const name = String.raw`\p{Lu}[\p{L}\p{N}\p{M}._-]*`
const word = String.raw`[\p{L}\p{N}\p{M}._-]+`

/** "before X": X names the later state, so the answer need not contain it. */
const nameClause = toClause(`${english}|${others}`, String.raw`${name}(?:\s+${name})*`, 'u')
/** The same with any words, at the end of a question. */
const finalSubject = String.raw`#?${word}(?:\s+${word}){0,2}`
const finalEnglishClause = toClause(english, finalSubject, 'iu', String.raw`\s*[?？.]?$`)
const finalClause = toClause(others, finalSubject, 'iu', String.raw`\s*[?？.]?$`)
/** A question with these is about what is done, not about what was. */
const present =
  /\b(?:must|should|shall|can|may|do|does|is|are|am|need|needs|have|has|will|would|let)\b/i
const pronoun = /^(?:i|we|you|he|she|it|they|ich|wir|er|sie|es|that|this|then|noon|now)$/u
/** The share of its score that a text about the later state loses. */
const laterPenalty = 0.5

export function dropBeforeClause(query: string): string {
  const clause = findClause(query)
  if (clause === undefined) return query
  const rest = query.replace(clause[0], ' ').trim()
  return /[\p{L}\p{N}]/u.test(rest) ? rest : query
}

/** In a question about the time before X, texts that name X are about the later state. */
export function demoteLater(hits: readonly AnswerHit[], query: string): readonly Adjustment[] {
  const subject = findClause(query)?.groups?.['subject']
  const terms = subject === undefined ? [] : readContentTerms(subject)
  if (terms.length === 0) return hits.map(() => undefined)
  return hits.map(({ content, isTurn, score }) => {
    const own = new Set(readTerms(content))
    const isLater = !isTurn && terms.every((term) => own.has(term)) && !isBefore(content)
    if (!isLater) return undefined
    return { score: score * (1 - laterPenalty), reason: 'names the later state' }
  })
}

function findClause(query: string): RegExpExecArray | undefined {
  const clause = nameClause.exec(query) ?? findFinalClause(query)
  if (!clause) return undefined
  const words = fold(clause.groups?.['subject'] ?? '').split(/\s+/)
  return words.some((word) => isCalendarWord(word) || pronoun.test(word)) ? undefined : clause
}

function findFinalClause(query: string): RegExpExecArray | null {
  const isEvent = isAboutEvent(query)
  const clause = isEvent || !present.test(query) ? finalEnglishClause.exec(query) : null
  return clause ?? (isEvent ? finalClause.exec(query) : null)
}

function toClause(prepositions: string, subject: string, flags: string, end = ''): RegExp {
  return new RegExp(
    String.raw`(?:,\s*)?(?<![\p{L}\p{N}])(?:${prepositions})\s+${article}(?<subject>${subject})${end}`,
    flags,
  )
}

/** Whether a text itself describes an earlier state. */
function isBefore(content: string): boolean {
  return /(?<!\p{L})(?:before|prior to|bevor|vor|antes|avant)(?!\p{L})/u.test(fold(content))
}
