import { listOpenings } from './clauses.ts'
import { contrastSpan } from './contrasts.ts'
import type { CompiledLanguage } from './language.ts'
import { nounsAt } from './nouns.ts'
import { findPhrases, isLaterTime, type PhraseIndex, phraseEnd, type Span } from './phrases.ts'
import { isAside, isOfPart } from './report-topic.ts'
import {
  type FoundValue,
  isPlainNoun,
  listLimited,
  listModifiers,
  listPeople,
  listTopics,
  listValues,
  type ReportRequest,
} from './reported-values.ts'
import type { SentenceRequest } from './roles.ts'
import type { Report, Subject } from './statement.ts'
import type { Token } from './tokens.ts'

/** The reading of a sentence about a change, before the ledger is known. */
export interface ReportReading {
  readonly subject: Subject
  readonly isOwn: boolean
  readonly report: Omit<Report, 'values' | 'isWide' | 'wider' | 'statements'> & {
    readonly values: readonly FoundValue[]
  }
  /** Tokens that say that something has changed, here and in the sentence before. */
  readonly isExempt: (token: number) => boolean
  readonly isExemptBefore: (token: number) => boolean
  /** Where the clause begins that speaks of the change; 0 where there is one clause. */
  readonly reasonEnd: number
}

/** Words of a sentence that goes on with the one before. */
const maxContinuation = 14
const maxNameWords = 5

/** A change of something that is known, in words that no frame reads. */
export function readReport(request: ReportRequest): ReportReading | undefined {
  const { tokens, before = [], language, usesBefore } = request
  if (!isReport(request)) return undefined
  const cues = findCues(tokens, language)
  const earlier = findCues(usesBefore ? before : [], language)
  if (!hasWords(request, [cues.kind, earlier.kind]) || earlier.isMore) return undefined
  const found = findSubject(request)
  if (!found) return undefined
  const context = usesBefore ? [...before, ...tokens] : tokens
  const values = listValues(request)
  const reasonEnd = findReasonEnd(tokens, cues.spans, values)
  if (cues.additions.some(({ start }) => start >= reasonEnd)) return undefined
  const slots = listSlots(
    { ...request, tokens: context },
    { ...found, isImplied: 'isImplied' in found },
  )
  const isPlain = values.length > 0 && slots.length > 0
  const kind = kindOf([cues.kind, earlier.kind, isPlain ? 'plain' : undefined], found.subject)
  if (kind === undefined || isOfPart(request)) return undefined
  return {
    ...found,
    report: {
      kind,
      values,
      slots,
      sources: listBehind(context, language.reports.sources),
      targets: listBehind(context, language.reports.targets),
      moves: listBehind(tokens, language.reports.moves),
      otherWords: tokens.filter((_, at) => isPlainNoun(tokens, at, language)).length,
      isAside: isAside(request),
      ends: [
        ...earlier.ends.map((span) => toOffsets(before, span)),
        ...cues.ends.map((span) => toOffsets(tokens, span)),
      ],
      modifiers: listModifiers(request),
      limited: listLimited(request),
      spots: listSpots(context, language),
      isImpersonal: 'isImpersonal' in found,
    },
    isExempt: exemption(request, [
      ...cues.spans,
      ...values.map((value) => tokensOf(tokens, value)),
    ]),
    reasonEnd,
    isExemptBefore: exemption({ ...request, tokens: before }, earlier.spans),
  }
}

/** Whether any word of a change or of a slot stands here, before the longer reading begins. */
function hasWords(request: ReportRequest, kinds: readonly (Report['kind'] | undefined)[]): boolean {
  const { tokens, language } = request
  const { reports, projectNouns } = language
  return (
    kinds.some((kind) => kind !== undefined) ||
    tokens.some(({ lower }) => projectNouns.has(lower)) ||
    reports.slots.some(([, phrases]) => findPhrases(tokens, phrases).length > 0)
  )
}

/** Neither a request nor a plan. */
function isReport(request: ReportRequest): boolean {
  const { tokens, usesBefore } = request
  if (tokens.some(isLaterTime) || isRequest(request)) return false
  return !usesBefore || isContinuation(request)
}

/** `Drop Kafka.` */
function isRequest(request: ReportRequest): boolean {
  const { tokens, language } = request
  if (tokens.some(({ text }) => /^[:：]$/.test(text))) return false
  return [...listOpenings(request)].some(
    (at) => phraseEnd(tokens, at, language.reports.imperatives) !== undefined,
  )
}

/** A short sentence that speaks of a change, or the sentence before does. */
function isContinuation({ tokens, before = [], language }: ReportRequest): boolean {
  if (phraseEnd(tokens, 0, language.reports.closings) !== undefined) return false
  const isLong = tokens.length > maxContinuation || before.length > 2 * maxContinuation
  return !isLong && [before, tokens].some((words) => findCues(words, language).kind !== undefined)
}

/** The last clause that has words of a change and a value; what stands before it is the reason. */
function findReasonEnd(
  tokens: readonly Token[],
  cues: readonly Span[],
  values: readonly FoundValue[],
): number {
  const starts = tokens.flatMap(({ text }, at) => (/^[,;:—–-]$/.test(text) ? [at + 1] : []))
  const isChange = (start: number) =>
    cues.some((cue) => cue.start >= start) &&
    values.some((value) => value.start >= (tokens[start]?.start ?? Number.POSITIVE_INFINITY))
  return starts.findLast(isChange) ?? 0
}

/** The first kind that is known. What ends a job changes a project. */
function kindOf(kinds: readonly (Report['kind'] | undefined)[], { type }: Subject) {
  const kind = kinds.find((one) => one !== undefined)
  return kind === 'job' && type === 'project' ? 'change' : kind
}

interface Cues {
  readonly kind: Report['kind'] | undefined
  readonly ends: readonly Span[]
  /** What was before stays. */
  readonly isMore: boolean
  readonly additions: readonly Span[]
  readonly spans: readonly Span[]
}

function findCues(tokens: readonly Token[], { reports, changeWords }: CompiledLanguage): Cues {
  const [changes, ends, jobEnds] = [
    [...findPhrases(tokens, reports.changes), ...findPhrases(tokens, changeWords)],
    findPhrases(tokens, reports.ends),
    findPhrases(tokens, reports.jobEnds),
  ]
  const additions = findPhrases(tokens, reports.additions)
  const kinds = [
    ['end', ends],
    ['change', changes],
    ['job', jobEnds],
  ] as const
  return {
    kind: kinds.find(([, spans]) => spans.length > 0)?.[0],
    ends: [...ends, ...jobEnds],
    isMore: additions.length > 0,
    additions,
    spans: [...changes, ...ends, ...jobEnds, ...findPhrases(tokens, reports.passives)],
  }
}

/** The one project that is named, or else the one person. */
function findSubject(request: ReportRequest) {
  const { tokens, before = [], language, project } = request
  const [first, ...rest] = listTopics(request)
  if (rest.length > 0) return undefined
  if (first) return { subject: first, isOwn: false }
  const isFirstPerson = (words: readonly Token[]) =>
    findPhrases(words, language.reports.speakers).length > 0 ||
    phraseEnd(words, 0, language.droppedOpening) !== undefined
  const [earlier, ...others] = listTopics({ ...request, tokens: before })
  const isPersonal = isFirstPerson(tokens) && !isOfGroup(request)
  if (!isPersonal && earlier && others.length === 0) return { subject: earlier, isOwn: false }
  if (!isPersonal && project) return { subject: project, isOwn: false, isImplied: true }
  return findPerson(request, isFirstPerson(tokens) || isFirstPerson(before))
}

/** `We agreed on Friday`: where a project is known, it is meant. */
function isOfGroup({ tokens, language }: ReportRequest): boolean {
  const { firstPlural, firstPerson, firstPossessive } = language
  const holds = (phrases: PhraseIndex) => findPhrases(tokens, phrases).length > 0
  return holds(firstPlural) && !holds(firstPerson) && !holds(firstPossessive)
}

function findPerson(request: ReportRequest, isPersonal: boolean) {
  const { tokens, own, language } = request
  if (findPhrases(tokens, language.reports.others).length > 0) return undefined
  const named = listPeople(request)
  if (isPersonal) return own && named.length === 0 ? { subject: own, isOwn: true } : undefined
  const [person, ...rest] = named
  if (!person && own) return { subject: own, isOwn: false, isImpersonal: true }
  if (!person || person.start > 0 || rest.length > 0) return undefined
  return { subject: person.subject, isOwn: false }
}

/** Keys of the slots that the words name. */
interface SlotScope {
  readonly subject: Subject
  /** Only the memory says which project it is of. */
  readonly isImplied: boolean
}

function listSlots(
  request: SentenceRequest,
  { subject: { type }, isImplied }: SlotScope,
): string[] {
  const { tokens, language } = request
  const nouns = tokens.flatMap((_, at) =>
    nounsAt(request, at, type === 'person' ? 'person' : 'known').map(({ noun }) => noun),
  )
  const phrases = language.reports.slots.flatMap(([slot, index]) =>
    findPhrases(tokens, index).length > 0 && !(isImplied && slot === 'owner') ? [slot] : [],
  )
  return [...new Set([...nouns, ...phrases])]
}

/** The words behind each of these phrases. */
function listBehind(tokens: readonly Token[], phrases: PhraseIndex): string[] {
  return findPhrases(tokens, phrases).map(({ end }) =>
    tokens
      .slice(end, end + maxNameWords + 1)
      .map(({ text }) => text)
      .join(' '),
  )
}

function toOffsets(tokens: readonly Token[], { start, end }: Span): Span {
  return { start: tokens[start]?.start ?? 0, end: tokens[end - 1]?.end ?? 0 }
}

function listSpots(tokens: readonly Token[], { reports }: CompiledLanguage) {
  return reports.slots.flatMap(([key, phrases]) =>
    findPhrases(tokens, phrases).map((span) => ({ key, ...toOffsets(tokens, span) })),
  )
}

/** A name may hold the word of a guard: `Novel Games`. */
function tokensOf(tokens: readonly Token[], { start, end }: Span): Span {
  const first = tokens.findIndex((token) => token.start >= start)
  const after = tokens.findIndex((token) => token.start >= end)
  return { start: first, end: after < 0 ? tokens.length : after }
}

/** A contrast and the words of the change itself are no objection. */
function exemption(request: ReportRequest, spans: readonly Span[]): (token: number) => boolean {
  const contrasts = request.tokens.flatMap((_, at) => contrastSpan(request, at) ?? [])
  return (token) => [...spans, ...contrasts].some(({ start, end }) => token >= start && token < end)
}
