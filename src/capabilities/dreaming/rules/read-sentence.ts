import type { CompiledLanguage } from './language.ts'
import type { ValueKind } from './language-table.ts'
import {
  type CompiledFrame,
  type Match,
  matchFrame,
  type Reader,
  type SubjectMatch,
} from './patterns.ts'
import { phraseEnd, type Span } from './phrases.ts'
import { findSlot, slotOfNoun } from './slots.ts'
import type { Change, Slot, Subject } from './statement.ts'
import { findPeople, findProjects, type NameIndex } from './subjects.ts'
import type { Token } from './tokens.ts'
import { readValues } from './value.ts'

interface SentenceRequest {
  readonly tokens: readonly Token[]
  readonly language: CompiledLanguage
  readonly index: NameIndex
  /** Who says `I`. */
  readonly own: Subject | undefined
}

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
  /** Tokens that belong to the statement itself. */
  readonly isExempt: (token: number) => boolean
}

const maxReadings = 4
const maxIntroduction = 4
const maxNounWords = 2

/** The statements of a sentence: each clause by the first frame that fits. */
export function readSentence(request: SentenceRequest): SentenceReading[] {
  const reader = createReader(request)
  const readings: SentenceReading[] = []
  for (const start of listStarts(request)) {
    if (readings.some(({ isExempt }) => isExempt(start))) continue
    const reading = readClause(request, reader, start, undefined)
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
  for (const frame of request.language.frames)
    for (const match of matchFrame(reader, frame, at, inherited)) {
      const reading = toReading(request, match)
      if (reading) return reading
    }
  return undefined
}

/** `I sold my flat and moved to Ferrol`: the clause behind a conjunction has the subject of the first. */
function readElliptic(
  request: SentenceRequest,
  reader: Reader,
  found: readonly SentenceReading[],
): SentenceReading[] {
  const { tokens } = request
  const subject = listStarts(request).flatMap((start) => [
    ...reader.subjectsAt('S', start),
    ...reader.subjectsAt('P', start),
  ])[0]
  if (!subject || subject.isStranger) return []
  return tokens.flatMap((_, at) => {
    if (at <= subject.end || !isJoint(request, at - 1)) return []
    if (found.some(({ isExempt }) => isExempt(at))) return []
    const reading = readClause(request, reader, at, subject)
    return reading ? [reading] : []
  })
}

function isJoint({ tokens, language }: SentenceRequest, at: number): boolean {
  const token = tokens[at]
  return (
    token !== undefined &&
    (/^[,;，；]$/.test(token.text) ||
      language.conjunctions.has(token.lower) ||
      /^(?:but|so|aber|then)$/.test(token.lower))
  )
}

/** Tokens where a clause may begin. */
function listStarts(request: SentenceRequest): number[] {
  const { tokens, language } = request
  const starts = new Set([0])
  let at = 0
  for (let end = phraseEnd(tokens, at, language.introductions); end !== undefined && end > at; ) {
    at = /^[,:：，—–-]$/.test(tokens[end]?.text ?? '') ? end + 1 : end
    starts.add(at)
    end = phraseEnd(tokens, at, language.introductions)
  }
  const mark = tokens.findIndex(({ text }) => /^[,:：，—–]$/.test(text))
  if (mark >= 0 && isIntroduction(request, mark)) starts.add(mark + 1)
  for (const [index, token] of tokens.entries())
    if (index > 0 && isClauseStart(request, index, token)) starts.add(index)
  return [...starts].filter((start) => start < tokens.length).toSorted((a, b) => a - b)
}

/** A name in front of a colon is a speaker. */
function isIntroduction({ tokens, language, index }: SentenceRequest, mark: number): boolean {
  const limit = language.isUnspaced ? maxIntroduction * 2 : maxIntroduction
  if (mark > limit) return false
  if (/^[,，—–]$/.test(tokens[mark]?.text ?? '')) return true
  return !tokens
    .slice(0, mark)
    .some(({ lower, text }, at) => index.has(lower) || (at > 0 && /^\p{Lu}/u.test(text)))
}

function isClauseStart(request: SentenceRequest, at: number, token: Token): boolean {
  const { tokens, language } = request
  const before = tokens[at - 1]
  if (!before) return false
  const isFirst =
    phraseEnd(tokens, at, language.firstPerson) !== undefined ||
    phraseEnd(tokens, at, language.firstPossessive) !== undefined ||
    phraseEnd(tokens, at, language.firstPlural) !== undefined
  if (isFirst) return isJoint(request, at - 1) || /^[:：—–(]$/.test(before.text)
  return (
    /^[;；—–]$/.test(before.text) ||
    (isJoint(request, at - 1) &&
      /^[,，]$/.test(tokens[at - 2]?.text ?? '') &&
      token.kind !== 'mark')
  )
}

function createReader(request: SentenceRequest): Reader {
  const { tokens, language } = request
  return {
    tokens,
    language,
    subjectsAt: (role, at) =>
      role === 'S' || role === 'SS'
        ? findPeople(request, at, role === 'SS')
        : findProjects(request, at, role === 'PS'),
    groupEnd: (at) => phraseEnd(tokens, at, language.firstPlural),
    nounsAt: (at, isPerson) => nounsAt(request, at, isPerson),
  }
}

/** Nouns of people come from a list; projects have any but vague ones. */
function nounsAt({ tokens, language }: SentenceRequest, at: number, isPerson: boolean) {
  const max = language.isUnspaced ? maxNounWords * 4 : maxNounWords
  return Array.from({ length: max }, (_, index) => at + max - index).flatMap((end) => {
    const words = tokens.slice(at, end)
    if (words.length < end - at || words.some(({ kind }) => kind === 'mark')) return []
    const noun = words.map(({ lower }) => lower).join(language.isUnspaced ? '' : ' ')
    const key = language.personNouns.get(noun)
    const isKnown = isPerson ? key !== undefined : !isVague(language, noun, words)
    return isKnown ? [{ noun: key ?? noun, end }] : []
  })
}

function isVague(language: CompiledLanguage, noun: string, words: readonly Token[]): boolean {
  const { vagueNouns, emptyValues } = language
  return (
    vagueNouns.has(noun) ||
    words.some(({ lower }) => vagueNouns.has(lower) || emptyValues.has(lower))
  )
}

function toReading(request: SentenceRequest, match: Match): SentenceReading | undefined {
  const { frame, noun } = match
  const chosen = chooseSubject(match)
  const slot = frame.slot === 'noun' ? slotOfNoun(noun ?? '') : findSlot(frame.slot ?? '')
  const read = readMatch(request, match, kindOf(frame, slot))
  if (!chosen || !read || (chosen.isStranger && !frame.takesStranger)) return undefined
  const { values, cut, from } = read
  const isEvent = frame.isEvent === true
  return {
    rule: frame.rule,
    subject: chosen.subject,
    slot,
    change: frame.change ?? (slot?.cardinality === 'many' ? 'add' : 'set'),
    values: slot?.cardinality === 'one' ? values.slice(0, 1) : values,
    from,
    ownWord: chosen.isOwn || (chosen.subject.type === 'project' && frame.rule === 'decision'),
    changeWord: match.hasChangeWord || cut.hasChangeWord || isEvent,
    isEvent,
    isExempt: createExemption(request, match, { chosen, cut }),
  }
}

/** The values of a match: the new ones, and the one before. */
function readMatch(request: SentenceRequest, { frame, values, end }: Match, kind: ValueKind) {
  const { V: span, F: fromSpan } = values
  const read = span && readSpan(request, kind, span, end)
  if (!read) return undefined
  const from = fromSpan && readSpan(request, kind, fromSpan, end)
  if (fromSpan && !from && frame.slot === undefined) return undefined
  return { ...read, from: from?.values[0] }
}

/** The tokens of the statement itself, which no guard stops. */
function createExemption(
  request: SentenceRequest,
  { used, values }: Match,
  { chosen, cut }: { readonly chosen: SubjectMatch; readonly cut: Span },
): (token: number) => boolean {
  const spans = [cut, values.F, contrastSpan(request, cut.end)].filter((span) => span !== undefined)
  return (token) =>
    (used.has(token) && !isStrange(chosen, token)) || spans.some((span) => isWithin(span, token))
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

function kindOf(frame: CompiledFrame, slot: Slot | undefined): ValueKind {
  if (frame.slot !== 'noun') return frame.value
  if (slot?.key === 'works_at') return 'organization'
  if (slot?.key === 'role') return 'role'
  return slot?.key === 'owner' ? 'person' : 'property'
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

/** `not in Ferrol any more`, `instead of tea`: up to the next mark. */
function contrastSpan({ tokens, language }: SentenceRequest, end: number): Span | undefined {
  for (let start = end; start <= Math.min(end + 3, tokens.length - 1); start++) {
    if (phraseEnd(tokens, start, language.contrasts) === undefined) continue
    const stop = tokens.findIndex(({ kind }, at) => at > start && kind === 'mark')
    return { start, end: stop < 0 ? tokens.length : stop }
  }
  return undefined
}
