import { introductionEnd, isJoint, listOpenings, listStarts } from './clauses.ts'
import { contrastSpan } from './contrasts.ts'
import { endsInside, isReported, isUnfit, slotOf, slotOfClass } from './frame-slot.ts'
import type { CompiledFrame } from './frames.ts'
import { isWrongName } from './known-names.ts'
import type { CompiledLanguage } from './language.ts'
import type { ValueKind } from './language-table.ts'
import { nounsAt, roleEnds } from './nouns.ts'
import { type Match, matchFrame, type Reader, type SubjectMatch } from './patterns.ts'
import { findPhrases, isRestriction, type PhraseIndex, phraseEnd, type Span } from './phrases.ts'
import { findSubjects, type SentenceRequest } from './roles.ts'
import { selectFrames } from './select-frames.ts'
import { findSlot } from './slots.ts'
import type { Change, Slot, Subject } from './statement.ts'
import { findProjects } from './subjects.ts'
import type { Token } from './tokens.ts'
import { readValues } from './value.ts'

/** What a sentence states, before the guards. Spans count tokens. */
export interface SentenceReading {
  readonly rule: string
  readonly subject: Subject
  readonly slot: Slot | undefined
  readonly change: Change
  readonly values: readonly Span[]
  readonly from: Span | undefined
  readonly ownWord: boolean
  readonly changeWord: boolean
  readonly isEvent: boolean
  /** The value, where it is the speaker. */
  readonly self: string | undefined
  /** Slot of a change whose old value no slot holds. */
  readonly fallback: Slot | undefined
  /** Where the statement begins, and where its values end. */
  readonly at: number
  readonly end: number
  /** Tokens that belong to the statement itself. */
  readonly isExempt: (token: number) => boolean
}

const maxReadings = 4

/** The statements of a sentence: each clause by the first frame that fits. */
export function readSentence(request: SentenceRequest): SentenceReading[] {
  const reader = createReader(request)
  if (reader.frames.length === 0) return []
  const readings: SentenceReading[] = []
  for (const start of listStarts(request)) {
    if (readings.some(({ isExempt }) => isExempt(start))) continue
    const reading = readClause(request, reader, start, findDropped(request, start))
    if (reading) readings.push(reading)
    if (readings.length >= maxReadings) break
  }
  readings.push(...readElliptic(request, reader, readings))
  const exempt = (token: number) => readings.some(({ isExempt }) => isExempt(token))
  return readings.map((reading) => ({ ...reading, isExempt: exempt }))
}

function readClause(
  request: SentenceRequest,
  reader: Reader,
  at: number,
  inherited: SubjectMatch | undefined,
): SentenceReading | undefined {
  for (const frame of reader.frames)
    for (const match of matchFrame(reader, frame, at, inherited)) {
      const reading = matchesContext(request, frame, at) ? toReading(request, match) : undefined
      if (reading) return { ...reading, at }
    }
  return undefined
}

/** `at 6`, `around 18:30`: somebody leaves for the day. */
function isClock({ lower }: Token, at: number, tokens: readonly Token[]): boolean {
  const isTime = /^\d{1,2}(?::\d{2})?(?:am|pm)?$/.test(lower)
  return isTime && /^(?:at|around|before|after|by|about)$/.test(tokens[at - 1]?.lower ?? '')
}

/** `I have moved. The new flat is in Ferrol`: some frames need a phrase before them. */
function matchesContext(
  { tokens, before = [] }: SentenceRequest,
  { after, unless }: CompiledFrame,
  at: number,
): boolean {
  const contains = (phrases: PhraseIndex, ...places: readonly (readonly Token[])[]) =>
    places.some((words) => findPhrases(words, phrases).length > 0)
  if (unless && (contains(unless, before, tokens) || tokens.some(isClock))) return false
  return !after || contains(after, before, tokens.slice(0, at))
}

/** `I sold my flat and moved to Ferrol`: the clause behind a conjunction has the subject of the first. */
function readElliptic(
  request: SentenceRequest,
  reader: Reader,
  found: readonly SentenceReading[],
): SentenceReading[] {
  const { tokens } = request
  const [named] = listStarts(request).flatMap((start) => [
    ...reader.subjectsAt('S', start),
    ...reader.subjectsAt('P', start),
  ])
  const [opening = 0] = listOpenings(request)
  const subject = named ?? findDropped(request, opening)
  if (!subject || subject.isStranger) return []
  return tokens.flatMap((_, at) => {
    if (at <= subject.end || !isJoint(request, at - 1)) return []
    if (found.some(({ isExempt }) => isExempt(at))) return []
    const reading = readClause(request, reader, at, subject)
    return reading ? [reading] : []
  })
}

/** `Bin gegen Nüsse allergisch`: the verb alone says who speaks. */
function findDropped(request: SentenceRequest, at: number): SubjectMatch | undefined {
  const { tokens, language, own } = request
  const isDropped =
    phraseEnd(tokens, at, language.droppedSubject) !== undefined ||
    (phraseEnd(tokens, at, language.droppedOpening) !== undefined && listOpenings(request).has(at))
  if (!own || !isDropped) return undefined
  return { subject: own, end: at, isOwn: true, isStranger: false }
}

function createReader(request: SentenceRequest): Reader {
  const { tokens, language } = request
  return {
    tokens,
    frames: selectFrames(language.frames, new Set(tokens.map(({ lower }) => lower))),
    language,
    subjectsAt: (role, at) => findSubjects(request, role, at),
    groupEnd: (at) => phraseEnd(tokens, at, language.firstPlural),
    roleEnds: (at) => roleEnds(request, at),
    nounsAt: (at, kind) => nounsAt(request, at, kind),
  }
}

function toReading(
  request: SentenceRequest,
  match: Match,
): Omit<SentenceReading, 'at'> | undefined {
  const { frame } = match
  const chosen = chooseSubject(match) ?? findMeant(request, match)
  const read = readMeant(request, match)
  if (!chosen || !read || isUnfit(chosen, frame, read.slot)) return undefined
  if (isReported(request, match, chosen)) return undefined
  const { values, cut, from, self, slot } = read
  if (endsInside(request, match) || isRestricted(request, match, cut)) return undefined
  if (!isMeant(request, match, { slot, values })) return undefined
  const isEvent = frame.isEvent === true
  return {
    rule: frame.rule,
    subject: chosen.subject,
    slot,
    change: frame.change ?? defaultChange(slot),
    values: slot?.cardinality === 'one' ? values.slice(0, 1) : values,
    from,
    self,
    fallback: findSlot(frame.fallback ?? ''),
    end: cut.end,
    ownWord: chosen.isOwn || frame.rule === 'decision',
    changeWord: [match.hasChangeWord, cut.hasChangeWord, isEvent].includes(true),
    isEvent,
    isExempt: createExemption(request, match, { chosen, cut, from }),
  }
}

/** The values of a match and their slot. */
function readMeant(request: SentenceRequest, match: Match) {
  const { frame, noun } = match
  const named = slotOf(frame, noun)
  const self = frame.value === 'self' ? request.own?.name : undefined
  if (self !== undefined) return { ...withoutValue(match), self, slot: named }
  const read = readMatch(request, match, named)
  const isOpen = frame.slot === 'class'
  return read && { ...read, self, slot: isOpen ? slotOfClass(request, frame, read.values) : named }
}

interface FoundValues {
  readonly slot: Slot | undefined
  readonly values: readonly Span[]
}

/** Whether the values name what the slot holds, and the sentence ends there. */
function isMeant(request: SentenceRequest, match: Match, { slot, values }: FoundValues): boolean {
  if (isWrongName(request, values, kindOf(request.language, match.frame, slot))) return false
  const isOpen = slot?.key === 'owner' || slot?.key === 'deadline' || match.frame.slot === 'class'
  return !isOpen || !runsOn(request, match)
}

/** `Ada owns Ferry shares`: the sentence is about something of the project. */
function runsOn(request: SentenceRequest, { values, end }: Match): boolean {
  const { tokens, language } = request
  const next = tokens[end]
  if (!next || values.V?.end === end || next.kind === 'mark' || isJoint(request, end)) return false
  return ![language.changeWords, language.adverbs, language.softStops, language.stops].some(
    (phrases) => phraseEnd(tokens, end, phrases) !== undefined,
  )
}

const software: ReadonlySet<ValueKind> = new Set(['tool', 'technology'])

/** `I no longer use Trello on my phone`: it is used elsewhere. */
function isRestricted({ tokens, language }: SentenceRequest, { frame, end }: Match, cut: Span) {
  if (frame.change !== 'end' || !software.has(frame.value)) return false
  return [cut.end, end].some((at) => isRestriction(tokens, at, language))
}

function defaultChange(slot: Slot | undefined): Change {
  return slot?.cardinality === 'many' ? 'add' : 'set'
}

/** The speaker is the value. */
function withoutValue({ end }: Match) {
  return { values: [], cut: { start: end, end, hasChangeWord: false }, from: undefined }
}

/** The values of a match: the new ones, and the one before. */
function readMatch(
  request: SentenceRequest,
  { frame, values, end }: Match,
  slot: Slot | undefined,
) {
  const { V: span, F: fromSpan } = values
  const kind = kindOf(request.language, frame, slot)
  const read = span && readSpan(request, kind, span, end)
  if (!read) return undefined
  const from = fromSpan && readSpan(request, kind, fromSpan, end)
  if (fromSpan && !from && (frame.slot === undefined || frame.needsFrom)) return undefined
  return { ...read, from: from?.values[0] }
}

interface Exempted {
  readonly chosen: SubjectMatch
  readonly cut: Span
  readonly from: Span | undefined
}

/** The tokens of the statement itself, which no guard stops. */
function createExemption(
  request: SentenceRequest,
  { used, values }: Match,
  { chosen, cut, from }: Exempted,
): (token: number) => boolean {
  const old = values.F?.end === request.tokens.length ? from : values.F
  const spans = [cut, old, contrastSpan(request, cut.end)].filter((span) => span !== undefined)
  const introduction = introductionEnd(request)
  return (token) =>
    token < introduction ||
    (used.has(token) && !isStrange(chosen, token)) ||
    spans.some((span) => isWithin(span, token))
}

/** The name of a stranger may hold a guard: `Apparently Ada`. */
function isStrange({ isStranger, end }: SubjectMatch, token: number): boolean {
  return isStranger && token < end
}

/** A project that is named is what the sentence is about. */
function chooseSubject({ subjects }: Match): SubjectMatch | undefined {
  const project = subjects.find(({ subject }) => subject.type === 'project')
  if (project) return project
  const [first, ...rest] = subjects
  return rest.every(({ subject }) => subject.name === first?.subject.name) ? first : undefined
}

/** `We decided to split Ferry`: the one project that a decision names. */
function findMeant(request: SentenceRequest, { frame, values }: Match): SubjectMatch | undefined {
  const { V: span } = values
  if (frame.rule !== 'decision' || !span) return undefined
  const found = new Map<string, SubjectMatch>()
  for (let at = span.start; at < span.end; at++)
    for (const match of findProjects(request, at, false)) found.set(match.subject.name, match)
  return found.size === 1 ? [...found.values()][0] : undefined
}

function kindOf(
  { softwareKeys }: CompiledLanguage,
  frame: CompiledFrame,
  slot: Slot | undefined,
): ValueKind {
  if (frame.slot !== 'noun') return frame.value
  if (slot?.key === 'works_at') return 'organization'
  if (slot?.key === 'role') return 'role'
  if (slot?.key === 'owner') return 'person'
  return softwareKeys.has(slot?.key ?? '') ? 'software' : 'property'
}

function readSpan({ tokens, language }: SentenceRequest, kind: ValueKind, span: Span, end: number) {
  return readValues({
    tokens,
    language,
    span,
    kind,
    isOpen: span.end === end && end === tokens.length,
  })
}

function isWithin({ start, end }: Span, token: number): boolean {
  return token >= start && token < end
}
