import { findGuard } from './guards.ts'
import { type CompiledLanguage, languages } from './language.ts'
import type { Span } from './phrases.ts'
import { type ReportReading, readReport } from './read-report.ts'
import type { Sentence, Turn } from './sentences.ts'
import type { EvidenceFragment, Statement, Subject } from './statement.ts'
import type { NameIndex } from './subjects.ts'
import type { Token } from './tokens.ts'

export interface Place {
  readonly fragment: EvidenceFragment
  readonly turn: Turn
  readonly sentence: Sentence
  readonly index: NameIndex
}

/** What a statement says of its source. It begins at an offset of the turn and ends with the sentence. */
export function placeOf({ fragment, turn, sentence }: Place, from: number) {
  const { sourceKind, sourceId, session, assertedAt, trust } = fragment
  const quote = turn.text.slice(from, sentence.end)
  const start = fragment.start + turn.start + from
  return { sourceKind, sourceId, session, assertedAt, trust, quote, start, length: quote.length }
}

interface Context {
  readonly before: Sentence | undefined
  /** The speaker, and the project that the evidence is about. */
  readonly own: Subject | undefined
  readonly project: Subject | undefined
  /** What the frames read in the sentence. */
  readonly statements: readonly Statement[]
}

const reportConfidence = 0.75

/** A change that the ledger has to understand. */
export function readChange(place: Place, context: Context): Statement | undefined {
  const found = languages.flatMap((language) => {
    const wider = readIn(language, place, { ...context, usesBefore: true, wider: undefined })
    return readIn(language, place, { ...context, usesBefore: false, wider }) ?? wider ?? []
  })
  return found.find(({ report }) => report?.kind !== 'plain') ?? found[0]
}

interface Reach extends Context {
  readonly usesBefore: boolean
  readonly wider: Statement | undefined
}

function readIn(language: CompiledLanguage, place: Place, reach: Reach): Statement | undefined {
  const { sentence, turn, index } = place
  const { before, own, project, statements, usesBefore, wider } = reach
  const [{ tokens }, earlier] = [sentence, before?.tokens]
  if (usesBefore && !before) return undefined
  const request = { tokens, language, index, own, project, before: earlier, usesBefore }
  const reading = readReport(request)
  if (!reading) return undefined
  const guarded = { ...reading, language, tokens, at: 0, isEvent: true }
  if (findGuard(guarded) || (usesBefore && isGuardedBefore(guarded, earlier))) return undefined
  const { report, isOwn, subject, reasonEnd } = reading
  const isDenied = findGuard({ ...guarded, reasonEnd: 0 }) !== undefined
  const parts = new Set(report.modifiers)
  const whole = report.values.filter(({ end }) => !parts.has(end))
  const values = whole.map(({ name, type, isBefore, isOpening, start, end }) => ({
    text: name ?? turn.text.slice(start, end),
    type,
    isOpening,
    isBefore: isBefore || (isDenied && start < (tokens[reasonEnd]?.start ?? 0)),
  }))
  const from = usesBefore && before ? before.start : sentence.start
  const moved = <Place extends Span>(place: Place) => ({
    ...place,
    start: place.start - from,
    end: place.end - from,
  })
  const ends = report.ends.map(moved)
  const spots = report.spots.map(moved)
  const movedEnds = (list: readonly number[]) => list.map((end) => end - from)
  const modifiers = movedEnds(report.modifiers)
  const limited = movedEnds(report.limited)
  return {
    ...placeOf(place, from),
    subject,
    slot: undefined,
    change: report.kind === 'end' ? 'end' : 'from-to',
    ownWord: isOwn,
    changeWord: true,
    value: '',
    from: undefined,
    report: {
      ...report,
      values,
      ends,
      spots,
      modifiers,
      limited,
      isWide: usesBefore,
      wider,
      statements,
    },
    rule: `${language.code}.report`,
    confidence: reportConfidence,
  }
}

type Guarded = ReportReading & Parameters<typeof findGuard>[0]

function isGuardedBefore(guarded: Guarded, before: readonly Token[] | undefined): boolean {
  const { isExemptBefore: isExempt } = guarded
  if (!before) return true
  return findGuard({ ...guarded, tokens: before, isExempt, reasonEnd: 0 }) !== undefined
}
