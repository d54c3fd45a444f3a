import type { CompiledLanguage } from './language.ts'
import { findPhrases, isRestriction, phraseEnd, type Span } from './phrases.ts'
import type { SentenceRequest } from './roles.ts'
import type { ReportedValue, Subject } from './statement.ts'
import { findPeople, findProjects } from './subjects.ts'
import { classOf, isUnmistakable } from './technologies.ts'
import { isCapitalised, isCode, type Token } from './tokens.ts'

/** A value by its place in the turn, or by its full name. */
export interface FoundValue extends Omit<ReportedValue, 'text'>, Span {
  readonly name: string | undefined
}

export interface ReportRequest extends SentenceRequest {
  /** The only project that the evidence is about. */
  readonly project: Subject | undefined
  /** The sentence before belongs to the report. */
  readonly usesBefore: boolean
}

/** The projects that a sentence names, with or without their properties. */
export function listTopics(request: SentenceRequest): Subject[] {
  const found = new Map<string, Subject>()
  for (const at of request.tokens.keys())
    for (const { subject } of findProjects(request, at, false)) found.set(subject.name, subject)
  return [...found.values()]
}

interface Named extends Span {
  readonly subject: Subject
}

export function listPeople(request: SentenceRequest): Named[] {
  const { tokens } = request
  const found: Named[] = []
  for (const start of tokens.keys()) {
    if (start < (found.at(-1)?.end ?? 0)) continue
    const person = findPeople(request, start, false).find(
      ({ isOwn, isStranger }) => !isOwn && !isStranger,
    )
    if (person) found.push({ subject: person.subject, start, end: person.end })
  }
  return found
}

const maxNameWords = 5

/** Names, numbers, versions and dates of a sentence. */
export function listValues(request: ReportRequest): FoundValue[] {
  const { tokens } = request
  const people = listPeople(request)
  const projects = new Set(listTopics(request).flatMap(({ name }) => name.toLowerCase().split(' ')))
  const values: FoundValue[] = people.map(({ subject, start, end }) => ({
    name: subject.name,
    type: 'person' as const,
    isBefore: isBehindSource(request, start),
    isOpening: false,
    start: tokens[start]?.start ?? 0,
    end: tokens[end - 1]?.end ?? 0,
  }))
  let at = 0
  while (at < tokens.length) {
    const person = people.find(({ start }) => start === at)
    const span = person ? undefined : readValue(request, at, projects)
    if (span)
      values.push({
        name: undefined,
        type: span.type,
        isBefore: isBehindSource(request, at),
        isOpening: at === 0 && span.end === 1 && span.type === 'name',
        start: tokens[at]?.start ?? 0,
        end: tokens[span.end - 1]?.end ?? 0,
      })
    at = person?.end ?? span?.end ?? at + 1
  }
  return values
}

function isBehindSource({ tokens, language }: ReportRequest, at: number): boolean {
  if (findPhrases(tokens, language.reports.moves).some(({ end }) => end === at)) return false
  const starts = [1, 2, 3].map((count) => at - count).filter((start) => start >= 0)
  const article = (end: number) => phraseEnd(tokens, end, language.articles) ?? end
  return starts.some((start) => {
    const end = phraseEnd(tokens, start, language.reports.sources)
    return (
      end !== undefined &&
      (end === at || article(end) === at || isPreposition(tokens[end], end, at))
    )
  })
}

/** `not in Ferrol` */
function isPreposition(token: Token | undefined, end: number, at: number): boolean {
  return end + 1 === at && /^(?:in|at|on|to|bei|auf)$/.test(token?.lower ?? '')
}

function readValue(request: ReportRequest, at: number, projects: ReadonlySet<string>) {
  const { tokens } = request
  const token = tokens[at]
  const ideographic = readIdeographicDate(tokens, at)
  if (ideographic) return ideographic
  if (token?.kind === 'ideograph') return readIdeographicName(tokens, at)
  return token?.kind === 'word'
    ? (readMeasure(request, at) ?? readName(request, at, projects))
    : undefined
}

/** A date, a number or a version. */
function readMeasure(request: ReportRequest, at: number) {
  const text = request.tokens[at]?.lower ?? ''
  const date = dateEnd(request, at)
  if (date !== undefined) return { end: date, type: 'date' as const }
  if (/^\d{2,5}$/.test(text) && isNumberOf(request, at))
    return { end: at + 1, type: 'number' as const }
  return /^v?\d+(?:\.\d+)+$/.test(text) ? { end: at + 1, type: 'version' as const } : undefined
}

function readName(request: ReportRequest, at: number, projects: ReadonlySet<string>) {
  const { tokens, language } = request
  if (/^\d+$/.test(tokens[at]?.text ?? '') || isOpening(request, at) || isNoun(request, at))
    return undefined
  let end = at
  while (end < at + maxNameWords && isNameWord(language, tokens[end], projects)) end++
  return end > at && isName(request, at, end) ? { end, type: 'name' as const } : undefined
}

/** `on 9400`, but not `9400 users`. */
function isNumberOf({ tokens, language }: ReportRequest, at: number): boolean {
  const [before, next] = [tokens[at - 1], tokens[at + 1]]
  if (language.isUnspaced || !before) return true
  const { stops, softStops, changeWords, adverbs, contrasts, conjunctions, reports } = language
  const isMarked =
    before.kind === 'mark' || phraseEnd(tokens, at - 1, reports.portMarkers) !== undefined
  const goesOn = [stops, softStops, changeWords, adverbs, contrasts].some(
    (phrases) => phraseEnd(tokens, at + 1, phrases) !== undefined,
  )
  const isLast = !next || next.kind === 'mark' || conjunctions.has(next.lower)
  return isMarked && (isLast || goesOn)
}

/** A word that has its capital from its place: `Von`, `Since`. */
function isOpening({ tokens, language }: ReportRequest, at: number): boolean {
  const before = tokens[at - 1]
  if (before && before.kind !== 'mark') return false
  const { articles, adverbs, changeWords, introductions, softStops, stops, reports } = language
  const { droppedOpening, droppedSubject } = language
  return [
    ...[articles, adverbs, changeWords, introductions, softStops, stops],
    ...[reports.sources, reports.nameMarkers, reports.others, droppedOpening, droppedSubject],
    ...[reports.changes, reports.ends, reports.jobEnds],
  ].some((phrases) => phraseEnd(tokens, at, phrases) !== undefined)
}

/** `Port 8080` */
function isNoun({ tokens, language: { projectNouns, personNouns } }: ReportRequest, at: number) {
  const lower = tokens[at]?.lower ?? ''
  return projectNouns.has(lower) || personNouns.has(lower)
}

function isNameWord(
  language: CompiledLanguage,
  token: Token | undefined,
  projects: ReadonlySet<string>,
): boolean {
  if (token?.kind !== 'word' || projects.has(token.lower)) return false
  if (language.calendar.has(token.lower) || token.lower.startsWith("'")) return false
  return (isCapitalised(token) && token.lower !== 'i') || isCode(token) || isKnown(token)
}

/** `ferry runs on sqlite now` */
function isKnown({ lower }: Token): boolean {
  return isUnmistakable(lower)
}

/** Where names end that a noun follows, where nouns have no capitals. */
export function listModifiers({ tokens, language }: ReportRequest): number[] {
  if (language.isUnspaced || language.reports.nameMarkers.size > 0) return []
  return tokens.flatMap(({ end }, at) => {
    const next = tokens[at + 1]?.lower === "'s" ? at + 2 : at + 1
    return isPlainNoun(tokens, next, language) ? [end] : []
  })
}

/** Words between a name and what limits its end: `Trello is gone from the list`. */
const maxLimitDistance = 3

/** Where names end that hold for a part only: `Trello on my phone`, `three cards in Trello`. */
export function listLimited(request: ReportRequest): number[] {
  const { tokens, language } = request
  return tokens.flatMap(({ end }, at) => {
    const next = phraseEnd(tokens, at + 1, language.reports.ends) ?? at + 1
    const near = Array.from({ length: maxLimitDistance }, (_, distance) => at + 1 + distance)
    const isLimited = [next, ...near].some((place) => isRestriction(tokens, place, language))
    return isLimited || isContainer(request, at) ? [end] : []
  })
}

/** `three cards in Trello`, `in Trello drei Karten`: a part of what is named ends. */
function isContainer({ tokens, language }: ReportRequest, at: number): boolean {
  if (!language.insidePrepositions.has(tokens[at - 1]?.lower ?? '')) return false
  const next = phraseEnd(tokens, at + 1, language.articles) ?? at + 1
  const [before, after] = [tokens[at - 2], tokens[next]]
  const isPart = (token: Token | undefined, place: number) =>
    token?.kind === 'word' &&
    (isPlainNoun(tokens, place, language) || isCapitalised(token) || /^\d+$/.test(token.lower))
  if (language.isUnspaced) return /^[里中上]/.test(after?.text ?? '')
  return isPart(before, at - 2) || isPart(after, next)
}

export function isPlainNoun(
  tokens: readonly Token[],
  at: number,
  language: CompiledLanguage,
): boolean {
  const token = tokens[at]
  if (!token || !/^\p{Ll}[\p{Ll}-]+$/u.test(token.text) || token.text === "'s") return false
  const { stops, softStops, changeWords, adverbs, contrasts, articles, reports } = language
  const known = [stops, softStops, changeWords, adverbs, contrasts, articles, language.firstPerson]
  const changeLists = [
    reports.changes,
    reports.ends,
    reports.jobEnds,
    reports.passives,
    reports.heads,
  ]
  const slots = reports.slots.map(([, phrases]) => phrases)
  return (
    !language.conjunctions.has(token.lower) &&
    ![...known, ...changeLists, ...slots].some(
      (phrases) => phraseEnd(tokens, at, phrases) !== undefined,
    )
  )
}

/** Whether words of a change stand in the sentence. */
function hasChange({ tokens, language: { reports } }: ReportRequest): boolean {
  return [reports.changes, reports.ends].some((phrases) => findPhrases(tokens, phrases).length > 0)
}

/** A capital at the beginning makes no name of one word; nor does one where nouns have capitals. */
function isName(request: ReportRequest, start: number, end: number): boolean {
  const { tokens, language } = request
  const words = tokens.slice(start, end)
  if (classOf(words.map(({ text }) => text).join(' ')) !== undefined) return true
  const { notNames, emptyValues, reports } = language
  if (words.every(({ lower }) => notNames.has(lower) || emptyValues.has(lower))) return false
  if (words.some(isCode) || words.length > 1) return true
  if (reports.nameMarkers.size > 0 && request.usesBefore) return false
  if (reports.nameMarkers.size > 0)
    return phraseEnd(tokens, start - 1, reports.nameMarkers) === start
  const isFirst = start === 0 || /^[.!:：]$/.test(tokens[start - 1]?.text ?? '')
  return !isFirst || (start === 0 && hasChange(request))
}

/** `3 May`, `May 3rd`, `2026-05-03`, `12. Mai` */
function dateEnd({ tokens, language }: ReportRequest, at: number): number | undefined {
  const token = tokens[at]
  if (/^\d{4}-\d{2}-\d{2}$/.test(token?.text ?? '')) return at + 1
  const isDay = (one: Token | undefined) => /^\d{1,2}(?:st|nd|rd|th|\.)?$/.test(one?.lower ?? '')
  const isMonth = (one: Token | undefined) => language.calendar.has(one?.lower ?? '')
  if (isMonth(token)) return isDay(tokens[at + 1]) ? at + 2 : undefined
  if (!isDay(token)) return undefined
  const next = ['.', 'of'].includes(tokens[at + 1]?.lower ?? '') ? at + 2 : at + 1
  return isMonth(tokens[next]) ? next + 1 : undefined
}

/** A well-known name, as a script without spaces has no other marks of one. */
function readIdeographicName(tokens: readonly Token[], at: number) {
  for (const count of [6, 5, 4, 3, 2]) {
    const words = tokens.slice(at, at + count)
    const name = words.map(({ text }) => text).join('')
    if (words.every(({ kind }) => kind === 'ideograph') && classOf(name) !== undefined)
      return { end: at + words.length, type: 'name' as const }
  }
  return undefined
}

/** `6月22日` */
function readIdeographicDate(tokens: readonly Token[], at: number) {
  const text = tokens.slice(at, at + 4).map(({ text }) => text)
  return text[1] === '月' && /^\d{1,2}$/.test(text[0] ?? '') && /^\d{1,2}$/.test(text[2] ?? '')
    ? { end: text[3] === '日' || text[3] === '号' ? at + 4 : at + 3, type: 'date' as const }
    : undefined
}
