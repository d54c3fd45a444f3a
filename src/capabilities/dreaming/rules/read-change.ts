import { findGuard } from './guards.ts'
import { type CompiledLanguage, languages } from './language.ts'
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
  if (
    !reading ||
    isGuarded(language, { tokens, before: usesBefore ? earlier : undefined }, reading)
  )
    return undefined
  const { report, isOwn, subject } = reading
  const values = report.values.map(({ name, type, isBefore, start, end }) => ({
    text: name ?? turn.text.slice(start, end),
    type,
    isBefore,
  }))
  return {
    ...placeOf(place, usesBefore && before ? before.start : sentence.start),
    subject,
    slot: undefined,
    change: report.kind === 'end' ? 'end' : 'from-to',
    ownWord: isOwn,
    changeWord: true,
    value: '',
    from: undefined,
    report: { ...report, values, isWide: usesBefore, wider, statements },
    rule: `${language.code}.report`,
    confidence: reportConfidence,
  }
}

interface Words {
  readonly tokens: readonly Token[]
  readonly before: readonly Token[] | undefined
}

function isGuarded(
  language: CompiledLanguage,
  { tokens, before }: Words,
  { isExempt, isExemptBefore }: ReportReading,
): boolean {
  const request = { language, at: 0, isEvent: true }
  if (findGuard({ ...request, tokens, isExempt }) !== undefined) return true
  return (
    before !== undefined &&
    findGuard({ ...request, tokens: before, isExempt: isExemptBefore }) !== undefined
  )
}
