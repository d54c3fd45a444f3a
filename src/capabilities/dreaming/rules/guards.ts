import type { CompiledLanguage } from './language.ts'
import { findPhrases, phraseEnd, type Span } from './phrases.ts'
import type { Sentence } from './sentences.ts'
import { isCapitalised, type Token } from './tokens.ts'

const laughter =
  /[\u{1F600}-\u{1F606}\u{1F609}\u{1F61C}-\u{1F61D}\u{1F643}\u{1F602}\u{1F923}\u{1F92A}\u{1F638}\u{1F639}\u{1F921}]/u

/** Guards that concern their own clause only. */
const local: ReadonlySet<string> = new Set(['plan', 'past', 'ago', 'negation', 'approximate'])

/** Guards that concern the whole sentence, whatever it says besides. */
const absolute: ReadonlySet<string> = new Set(['joke', 'denial', 'fiction'])

/** Guards that are no objection in a reason: `SQLite was not enough, Ferry runs on Dolt now`. */
const ofReasons: ReadonlySet<string> = new Set(['past', 'negation', 'denial'])

interface GuardedStatement {
  readonly language: CompiledLanguage
  readonly tokens: readonly Token[]
  /** Where the statement begins. */
  readonly at: number
  /** Where its last value ends; undefined where the sentence is no statement of the rules. */
  readonly end?: number | undefined
  readonly isEvent: boolean
  /** Where a reason in front of the statement ends: what it denies is past. */
  readonly reasonEnd?: number
  /** Tokens that statements use themselves. */
  readonly isExempt: (token: number) => boolean
}

/** Why a sentence does not state what it seems to, or undefined. */
export function findGuard(statement: GuardedStatement): string | undefined {
  const { language, tokens, isExempt, isEvent } = statement
  if (tokens.some(({ text }) => /^[?？؟]$/.test(text))) return 'question'
  if (tokens.some(({ text }) => laughter.test(text))) return 'joke'
  const clause = findClause(statement)
  const tail = findTail(statement)
  for (const [kind, index] of language.guards) {
    if (isEvent && kind === 'ago') continue
    const from = local.has(kind) ? clause.start : 0
    const to = absolute.has(kind) ? tokens.length : findReach(statement, { kind, clause, tail })
    const hits = findPhrases(tokens, index).filter(
      ({ start }) =>
        start >= from &&
        start < to &&
        !isMonth(statement, start) &&
        !isOfReason(statement, kind, start),
    )
    if (hits.some((span) => listTokens(span).some((token) => !isExempt(token)))) return kind
  }
  return undefined
}

/** `SQLite could not keep up, so …` tells of the past. */
function isOfReason({ tokens, reasonEnd = 0 }: GuardedStatement, kind: string, at: number) {
  const isDenied = kind === 'hypothesis' && tokens[at + 1]?.lower === 'not'
  return at < reasonEnd && (ofReasons.has(kind) || isDenied)
}

/** `since May` */
function isMonth({ tokens, language }: GuardedStatement, at: number): boolean {
  const token = tokens[at]
  return at > 0 && token !== undefined && isCapitalised(token) && language.calendar.has(token.lower)
}

interface Reach {
  readonly kind: string
  readonly clause: Span
  /** Where a clause of a reason or a consequence begins. */
  readonly tail: number
}

/** Where the words of a guard end to concern the statement. */
function findReach(statement: GuardedStatement, { kind, clause, tail }: Reach): number {
  if (!local.has(kind)) return tail
  const end = Math.min(clause.end, tail)
  return kind === 'approximate' ? end : Math.min(end, findBreak(statement, kind))
}

/** `I live in Ferrol, so if it rains …`: what follows from a statement is no condition of it. */
function findTail({ language, tokens, end }: GuardedStatement): number {
  if (end === undefined) return tokens.length
  for (let at = end; at < tokens.length; at++) {
    const isMarked = /^[,;，；—–(（-]$/.test(tokens[at - 1]?.text ?? '')
    const begins =
      phraseEnd(tokens, at, language.consequences) !== undefined ||
      (isMarked && phraseEnd(tokens, at, language.asides) !== undefined)
    if (begins && phraseEnd(tokens, at, language.hedges) === undefined) return at
  }
  return tokens.length
}

/** The first mark behind a statement, unless the words behind the mark take it back. */
function findBreak({ language, tokens, end }: GuardedStatement, kind: string): number {
  const none = tokens.length
  if (end === undefined) return none
  const mark = tokens.findIndex(({ text }, at) => at >= end && /^[,;，；—–(（]$/.test(text))
  if (mark < 0) return none
  const guard = language.guards.find(([name]) => name === kind)?.[1]
  const isTakenBack = [language.retractions, ...(guard ? [guard] : [])].some(
    (index) => phraseEnd(tokens, mark + 1, index) !== undefined,
  )
  return isTakenBack ? none : mark
}

function listTokens({ start, end }: Span): number[] {
  return Array.from({ length: end - start }, (_, offset) => start + offset)
}

/** A clause begins where a conjunction is followed by a new first person. */
function findClause({ language, tokens, at }: GuardedStatement): Span {
  const isStart = (index: number) => {
    const before = tokens[index - 1]
    const joins =
      before &&
      (/^[,;，；]$/.test(before.text) || /^(?:and|but|so|und|aber|sondern)$/.test(before.lower))
    if (!joins) return false
    const skipped = [language.changeWords, language.introductions].map(
      (phrases) => phraseEnd(tokens, index, phrases) ?? index,
    )
    const isContrast = index === at && /^(?:;|；|so|but|aber|sondern)$/.test(before.lower)
    return isContrast || [index, ...skipped].some((first) => isFirstPerson(language, tokens, first))
  }
  const starts = tokens.flatMap((_, index) => (isStart(index) ? [index] : []))
  return {
    start: starts.findLast((index) => index <= at) ?? 0,
    end: starts.find((index) => index > at) ?? tokens.length,
  }
}

function isFirstPerson(language: CompiledLanguage, tokens: readonly Token[], at: number): boolean {
  const { firstPerson, firstPossessive, firstPlural } = language
  return [firstPerson, firstPossessive, firstPlural].some(
    (index) => phraseEnd(tokens, at, index) !== undefined,
  )
}

/** Whether this sentence takes the one before it back: a joke marker, a denial or a tag question. */
export function isRetraction(
  languages: readonly CompiledLanguage[],
  { tokens }: Sentence,
): boolean {
  const words = tokens.filter(({ kind }) => kind !== 'mark')
  const isRequest = languages.some(({ requests }) => phraseEnd(words, 0, requests) !== undefined)
  const isTag = words.length <= 3 && !isRequest && tokens.some(({ text }) => /^[?？]$/.test(text))
  if (isTag || tokens.some(({ text }) => laughter.test(text))) return true
  return languages.some((language) => {
    const end = phraseEnd(words, 0, language.retractions)
    if (end !== undefined && (end === words.length || end > 1)) return true
    const joke = language.guards.find(([kind]) => kind === 'joke')?.[1]
    return joke !== undefined && words.length <= 6 && findPhrases(words, joke).length > 0
  })
}

/** Whether this sentence makes the following ones a story, a quotation or a hypothesis. */
export function isOpener(languages: readonly CompiledLanguage[], { tokens }: Sentence): boolean {
  const endsOpen = /^[:：]$/.test(tokens.at(-1)?.text ?? '')
  return languages.some((language) => {
    if (phraseEnd(tokens, 0, language.openers) !== undefined) return true
    return language.guards.some(([kind, index]) => {
      const poisons =
        kind === 'fiction' || (endsOpen && (kind === 'reported' || kind === 'hypothesis'))
      return poisons && findPhrases(tokens, index).length > 0
    })
  })
}
