import { contrastSpan } from './contrasts.ts'
import type { CompiledLanguage } from './language.ts'
import { nounsAt } from './nouns.ts'
import { findPhrases, isLaterTime, phraseEnd, type Span } from './phrases.ts'
import type { SentenceRequest } from './roles.ts'
import type { Report, ReportedValue, Subject } from './statement.ts'
import { findPeople, findProjects } from './subjects.ts'
import { classOf } from './technologies.ts'
import { isCapitalised, isCode, type Token } from './tokens.ts'

/** What a sentence says about a change, before the ledger is known. */
export interface ReportReading {
  readonly subject: Subject
  readonly isOwn: boolean
  readonly report: Omit<Report, 'values' | 'wider' | 'statements'> & {
    readonly values: readonly FoundValue[]
  }
  /** Tokens that say that something has changed, here and in the sentence before. */
  readonly isExempt: (token: number) => boolean
  readonly isExemptBefore: (token: number) => boolean
}

/** A value by its place in the turn, or by its full name. */
interface FoundValue extends Omit<ReportedValue, 'text'>, Span {
  readonly name: string | undefined
}

interface ReportRequest extends SentenceRequest {
  /** The only project that the evidence is about. */
  readonly project: Subject | undefined
  /** The sentence before belongs to the report. */
  readonly usesBefore: boolean
}

/** Words of a sentence that goes on with the one before. */
const maxContinuation = 14
const maxNameWords = 5

/** A change of something that is known, in words that no frame reads. */
export function readReport(request: ReportRequest): ReportReading | undefined {
  const { tokens, before = [], language, usesBefore } = request
  if (tokens.some(isLaterTime) || (usesBefore && !isContinuation(request))) return undefined
  const cues = findCues(tokens, language)
  const earlier = usesBefore ? findCues(before, language) : undefined
  const found = findSubject(request)
  if (!found || cues.isMore || earlier?.isMore) return undefined
  const context = usesBefore ? [...before, ...tokens] : tokens
  const values = listValues(request)
  const slots = listSlots({ ...request, tokens: context }, found.subject)
  const isPlain = values.length > 0 && slots.length > 0
  const kind = cues.kind ?? earlier?.kind ?? (isPlain ? 'plain' : undefined)
  if (kind === undefined) return undefined
  return {
    ...found,
    report: { kind, values, slots, sources: listSources(context, language) },
    isExempt: exemption(request, cues.spans),
    isExemptBefore: exemption({ ...request, tokens: before }, earlier?.spans ?? []),
  }
}

/** A short sentence behind one that speaks of a change. */
function isContinuation({ tokens, before = [], language }: ReportRequest): boolean {
  return tokens.length <= maxContinuation && findCues(before, language).kind !== undefined
}

interface Cues {
  readonly kind: Report['kind'] | undefined
  /** What was before stays. */
  readonly isMore: boolean
  readonly spans: readonly Span[]
}

function findCues(tokens: readonly Token[], { reports, changeWords }: CompiledLanguage): Cues {
  const [changes, ends, jobEnds] = [
    [...findPhrases(tokens, reports.changes), ...findPhrases(tokens, changeWords)],
    findPhrases(tokens, reports.ends),
    findPhrases(tokens, reports.jobEnds),
  ]
  const kinds = [
    ['end', ends],
    ['change', changes],
    ['job', jobEnds],
  ] as const
  return {
    kind: kinds.find(([, spans]) => spans.length > 0)?.[0],
    isMore: findPhrases(tokens, reports.additions).length > 0,
    spans: [...changes, ...ends, ...jobEnds, ...findPhrases(tokens, reports.passives)],
  }
}

/** The one project that is named, or else the one person. */
function findSubject(request: ReportRequest) {
  const { tokens, before = [], language, project } = request
  const [first, ...rest] = listTopics(request)
  if (rest.length > 0) return undefined
  if (first) return { subject: first, isOwn: false }
  const speaks = (words: readonly Token[]) =>
    findPhrases(words, language.reports.speakers).length > 0 ||
    phraseEnd(words, 0, language.droppedOpening) !== undefined
  const [earlier, ...others] = listTopics({ ...request, tokens: before })
  const isPersonal = speaks(tokens)
  if (!isPersonal && earlier && others.length === 0) return { subject: earlier, isOwn: false }
  if (!isPersonal && project) return { subject: project, isOwn: false }
  return findPerson(request, isPersonal || speaks(before))
}

/** The projects that a sentence names, with or without their properties. */
function listTopics(request: SentenceRequest): Subject[] {
  const found = new Map<string, Subject>()
  for (const at of request.tokens.keys())
    for (const { subject } of findProjects(request, at, false)) found.set(subject.name, subject)
  return [...found.values()]
}

function findPerson(request: ReportRequest, isPersonal: boolean) {
  const { tokens, own, language } = request
  if (findPhrases(tokens, language.reports.others).length > 0) return undefined
  const named = listPeople(request)
  if (isPersonal) return own && named.length === 0 ? { subject: own, isOwn: true } : undefined
  const [person, ...rest] = named
  if (!person || person.start > 0 || rest.length > 0) return undefined
  return { subject: person.subject, isOwn: false }
}

interface Named extends Span {
  readonly subject: Subject
}

function listPeople(request: SentenceRequest): Named[] {
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

/** Names, numbers, versions and dates of a sentence. */
function listValues(request: ReportRequest): FoundValue[] {
  const { tokens } = request
  const people = listPeople(request)
  const projects = new Set(listTopics(request).flatMap(({ name }) => name.toLowerCase().split(' ')))
  const values: FoundValue[] = people.map(({ subject, start, end }) => ({
    name: subject.name,
    type: 'person' as const,
    isBefore: isBehindSource(request, start),
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
        start: tokens[at]?.start ?? 0,
        end: tokens[span.end - 1]?.end ?? 0,
      })
    at = person?.end ?? span?.end ?? at + 1
  }
  return values
}

function isBehindSource({ tokens, language }: ReportRequest, at: number): boolean {
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
  return end + 1 === at && /^(?:in|at|on|to|with|by|bei|auf|mit)$/.test(token?.lower ?? '')
}

function readValue(request: ReportRequest, at: number, projects: ReadonlySet<string>) {
  const { tokens, language } = request
  const token = tokens[at]
  if (token?.kind !== 'word') return readIdeographicDate(tokens, at)
  const date = dateEnd(request, at)
  if (date !== undefined) return { end: date, type: 'date' as const }
  if (/^\d{2,5}$/.test(token.text)) return { end: at + 1, type: 'number' as const }
  if (/^v?\d+(?:\.\d+)+$/.test(token.lower)) return { end: at + 1, type: 'version' as const }
  if (isOpening(request, at)) return undefined
  let end = at
  while (end < at + maxNameWords && isNameWord(language, tokens[end], projects)) end++
  if (end === at) return undefined
  return isName(request, at, end) ? { end, type: 'name' as const } : undefined
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
  return lower.length > 3 && classOf(lower) !== undefined
}

/** A capital at the beginning makes no name of one word; nor does one where nouns have capitals. */
function isName(request: ReportRequest, start: number, end: number): boolean {
  const { tokens, language } = request
  const words = tokens.slice(start, end)
  if (classOf(words.map(({ text }) => text).join(' ')) !== undefined) return true
  const { notNames, emptyValues, reports } = language
  if (words.every(({ lower }) => notNames.has(lower) || emptyValues.has(lower))) return false
  if (words.some(isCode) || words.length > 1) return true
  if (reports.nameMarkers.size > 0)
    return phraseEnd(tokens, start - 1, reports.nameMarkers) === start
  const isFirst = start === 0 || /^[.!:：]$/.test(tokens[start - 1]?.text ?? '')
  return !isFirst || (start === 0 && findCues(tokens, language).kind !== undefined)
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

/** `6月22日` */
function readIdeographicDate(tokens: readonly Token[], at: number) {
  const text = tokens.slice(at, at + 4).map(({ text }) => text)
  return text[1] === '月' && /^\d{1,2}$/.test(text[0] ?? '') && /^\d{1,2}$/.test(text[2] ?? '')
    ? { end: text[3] === '日' || text[3] === '号' ? at + 4 : at + 3, type: 'date' as const }
    : undefined
}

/** Keys of the slots that the words name. */
function listSlots(request: SentenceRequest, { type }: Subject): string[] {
  const { tokens, language } = request
  const nouns = tokens.flatMap((_, at) =>
    nounsAt(request, at, type === 'person' ? 'person' : 'known').map(({ noun }) => noun),
  )
  const phrases = language.reports.slots.flatMap(([slot, index]) =>
    findPhrases(tokens, index).length > 0 ? [slot] : [],
  )
  return [...new Set([...nouns, ...phrases])]
}

/** The words behind each word that stands in front of an old value. */
function listSources(tokens: readonly Token[], { reports }: CompiledLanguage): string[] {
  return findPhrases(tokens, reports.sources).map(({ end }) =>
    tokens
      .slice(end, end + maxNameWords + 1)
      .map(({ text }) => text)
      .join(' '),
  )
}

/** A contrast and the words of the change itself are no objection. */
function exemption(request: ReportRequest, spans: readonly Span[]): (token: number) => boolean {
  const contrasts = request.tokens.flatMap((_, at) => contrastSpan(request, at) ?? [])
  return (token) => [...spans, ...contrasts].some(({ start, end }) => token >= start && token < end)
}
