import { containsName, indexOfName } from '../check/grounding.ts'
import { toPlainValue } from '../fact.ts'
import { type Ledger, type LedgerValue, slotKey } from './ledger.ts'
import { resolve, toSingular } from './resolve.ts'
import { setMoved, setOfClass, setOfKind } from './set-of-class.ts'
import { findSlot, isSingle } from './slots.ts'
import type { ReportedValue, Slot, Statement } from './statement.ts'
import {
  fits,
  isSource,
  isSuccessor,
  isTarget,
  listNamed,
  maxBetween,
  type ReportContext,
} from './successor.ts'
import { classOf } from './technologies.ts'

/** Finds the slot of a report in the ledger. Without one, returns the statements that frames read. */
export function interpretReport(ledger: Ledger, statement: Statement): readonly Statement[] {
  const { report } = statement
  if (!report) return [statement]
  const { wider, statements } = report
  const reports = [statement, ...(wider ? [wider] : [])]
  const interpretations = reports.flatMap((one) => understand(ledger, one) ?? [])
  const replaced = interpretations.find(({ change }) => change !== 'end')
  const isClear = statements.length > 0 && statements.every((one) => isResolved(ledger, one))
  if (replaced && !isClear) return [replaced]
  if (statements.every((one) => endsNothing(ledger, one)))
    return [...statements, ...interpretations.slice(0, 1)]
  return statements
}

/** `We no longer use Kafka in Ferry` is no decision that ends, where no decision says so. */
function endsNothing(ledger: Ledger, statement: Statement): boolean {
  const { slot, change } = statement
  const isOpen = slot === undefined || slot.key === 'decision'
  return isOpen && change === 'end' && resolve(ledger, statement)?.old === undefined
}

/** Whether a pass has understood this report before. */
export function hasRead(ledger: Ledger, statement: Statement): boolean {
  const { wider } = statement.report ?? {}
  return [statement, ...(wider ? [wider] : [])].some(({ sourceId, start, length }) =>
    ledger.hasRead(sourceId, start, length),
  )
}

/** A change that a frame has read whole. */
function isResolved(ledger: Ledger, statement: Statement): boolean {
  return statement.change === 'from-to' && resolve(ledger, statement)?.old !== undefined
}

function understand(ledger: Ledger, statement: Statement): Statement | undefined {
  const { subject, assertedAt, report } = statement
  if (!report) return undefined
  const all = ledger
    .listSubject(subject.name)
    .filter((one) => one.assertedAt <= assertedAt && !one.isGuess)
  const active = all.filter((one) => one.isActive && !one.isPinned)
  const isActive = ({ text }: ReportedValue) =>
    active.some(({ plain }) => plain === toPlainValue(text))
  const unknown = report.values.filter((value) => !isActive(value))
  const inside = unknown.filter(({ isOpening }) => !isOpening)
  const newValues = inside.some(({ type }) => type === 'name') ? inside : unknown
  const past = all.filter((one) => !one.isActive)
  const context = { statement, report, active, past, newValues, isAlone: unknown.length === 0 }
  return (
    replaceNamed(context) ??
    (report.isWide ? undefined : endNamed(context)) ??
    setKnown(context) ??
    setOfClass(context) ??
    setOfKind(context) ??
    setMoved(context) ??
    setPort(context)
  )
}

/** The sentence names a value that holds and another of the same type: that takes its place. */
function replaceNamed(context: ReportContext): Statement | undefined {
  const { newValues } = context
  const pairs = listNamed(context).flatMap((old) =>
    newValues
      .filter((value) => isSuccessor(context, old, value) && !isOver(context, value))
      .map((value) => ({ old, value })),
  )
  const [pair, ...others] = pairs
  if (!pair || others.length > 0) return undefined
  const remainsCurrent =
    (pair.value.isBefore || isTarget(context, pair.old)) && !isSource(context, pair.old)
  return remainsCurrent ? undefined : toChange(context, pair)
}

/** Words between a value and the end that it meets. */
const maxOver = 8

/** `The Perl version is gone`, behind a change from Perl: it does not come back. */
function isOver({ past, report, statement: { quote } }: ReportContext, { text }: ReportedValue) {
  const plain = toPlainValue(text)
  const at = indexOfName(quote, plain)
  if (at < 0 || !past.some((one) => one.plain === plain)) return false
  return report.ends.some(({ start }) => {
    const between = quote.slice(at + plain.length, start)
    return start > at && !/[,;.!–—]/.test(between) && between.trim().split(/\s+/).length <= maxOver
  })
}

/** The sentence says that the one value that it names is gone. */
function endNamed(context: ReportContext): Statement | undefined {
  const { report, statement, newValues } = context
  const [old, ...others] = listNamed(context)
  if (!old || others.length > 0) return undefined
  const isEndReport =
    report.kind === 'end' || (report.kind === 'job' && old.slot.key === 'works_at')
  const { aspect } = old.slot
  const isPast = aspect === 'preferences' && lasting.test(statement.quote)
  const isSteady = ['location', 'preferences', 'languages'].includes(aspect) && !isPast
  const isOwn = ['tools', 'health'].includes(old.slot.aspect) && context.isAlone
  if (report.isImpersonal && !isOwn) return undefined
  if (
    !isEndReport ||
    isSteady ||
    !isEnded(context, old) ||
    newValues.some((value) => isSuccessor(context, old, value))
  )
    return undefined
  return { ...statement, change: 'end', slot: old.slot, value: old.value }
}

/** A preference ends for good: `I cancelled the morning run` ends none. */
const lasting =
  /\b(?:any ?more|any longer|no longer|gone off|tired of|sick of|fed up|lost interest)\b|nicht mehr|nichts mehr|kein.*mehr|\bsatt\b|没兴趣|不.*了|腻/iu

/** The words of the end stand next to the value: `Kafka is gone`, not `removed a topic from Kafka`. */
function isEnded(
  { report, statement: { quote } }: ReportContext,
  { plain, slot }: LedgerValue,
): boolean {
  const quoteWords = quote.toLowerCase()
  if (slot.aspect === 'health') return /aller|过敏|intoleran|unverträglich/.test(quoteWords)
  if (slot.aspect === 'decisions') return true
  const at = [plain, toSingular(plain), plain.split(' ')[0] ?? ''].map((one) =>
    quoteWords.indexOf(one),
  )
  const start = at.find((one) => one >= 0)
  if (start === undefined) return false
  const stop = start + plain.length
  const isPart = report.modifiers.includes(stop) || report.limited.includes(stop)
  return report.ends.some((end) => {
    if (end.start <= start && end.end >= start)
      return !isPart && quoteWords.slice(stop, end.end).trim().split(/\s+/).length <= maxRest
    if (end.start > start && pronoun.test(quoteWords.slice(end.start, end.end + 4))) return true
    const [between, limit] =
      end.end <= start
        ? [quoteWords.slice(end.end, start), 2]
        : [quoteWords.slice(stop, end.start), 4]
    const words = between.split(/[\s']+/u).filter((word) => word !== '')
    return !isPart && words.length <= limit && !subordinate.test(between)
  })
}

/** Words behind a value that a phrase of an end encloses. */
const maxRest = 4
const pronoun = /\b(?:it|them|ihn|es|sie)\b|它/u
const subordinate =
  /\b(?:when|while|after|before|because|if|that|which|until|for|by|wenn|als|weil|nachdem|bevor|dass)\b/u

/** The sentence names a slot, or a value that only one slot can have. */
function setKnown(context: ReportContext): Statement | undefined {
  const { past, newValues, report } = context
  const isVague = report.kind === 'job' || report.isImpersonal
  if (isVague || listNamed(context).length > 0) return undefined
  const pairs = newValues.flatMap((value) => {
    const isPlain = report.kind === 'plain' && !isMeasure(value)
    if (value.isBefore || isPlain || isOver(context, value)) return []
    const plain = toPlainValue(value.text)
    const returned = past.filter((one) => one.plain === plain).map(({ slot }) => slot.key)
    return listHeads(context)
      .filter((old) => fits(context, old, value))
      .filter(
        ({ slot: { key } }) =>
          (isNamedSlot(context, key) && isNear(context, key, value)) ||
          isFollowUp(context, key) ||
          (report.kind !== 'plain' && (returned.includes(key) || isOwnKind(context, key, value))),
      )
      .map((old) => ({ old, value }))
  })
  const [pair, ...others] = pairs
  return pair && others.length === 0 ? toChange(context, pair) : undefined
}

/** `I am no longer at Northwind. I am at Osprey Films now.` */
function isFollowUp(context: ReportContext, key: string): boolean {
  const { past, report, statement } = context
  return past.some(
    (one) =>
      report.isWide &&
      one.slot.key === key &&
      one.slot.aspect !== 'location' &&
      containsName(statement.quote, one.plain) &&
      (isSource(context, one) || isEnded(context, one)),
  )
}

const ports = ['production_port', 'staging_port'] as const

/** `Ferry binds to 9400 in production`: the only number, and the only one of the two ports. */
function setPort({ statement, report }: ReportContext): Statement | undefined {
  const { subject } = statement
  const numbers = report.values.filter(({ type, isBefore }) => type === 'number' && !isBefore)
  const named = ports.filter((key) => report.slots.includes(key))
  const [[value, ...others], [key, ...keys]] = [numbers, named]
  const isMeant = subject.type === 'project' && !report.isImpersonal && report.kind !== 'end'
  const isPort = value !== undefined && /^\d{4,5}$/.test(value.text) && !/^20\d\d$/.test(value.text)
  if (!isMeant || !isPort || !key || others.length + keys.length > 0) return undefined
  return { ...statement, change: 'set', slot: findSlot(key), value: value.text, from: undefined }
}

/** `I joined Osprey`, not `I joined the choir in Lugo`. */
function isNear(
  { report, statement: { quote } }: ReportContext,
  key: string,
  { text }: ReportedValue,
) {
  if (key !== 'lives_in' && key !== 'works_at') return true
  const at = quote.indexOf(text)
  return report.spots.some((spot) => {
    if (spot.key !== key) return false
    const between =
      spot.end <= at ? quote.slice(spot.end, at) : quote.slice(at + text.length, spot.start)
    return between.split(/[\s,]+/u).filter((word) => word !== '').length <= maxBetween
  })
}

/** An editor or the like, which has a class of its own. */
function isOwnKind(
  { statement: { subject } }: ReportContext,
  key: string,
  { text }: ReportedValue,
) {
  return subject.type === 'person' && classOf(text) === key
}

/** The value that a slot of one has, or had last. */
function listHeads({ active, past }: ReportContext): LedgerValue[] {
  const heads = new Map<string, LedgerValue>()
  const newest = past.toSorted((a, b) => b.assertedAt.localeCompare(a.assertedAt))
  for (const value of [...active, ...newest]) {
    const key = slotKey(value.slot)
    if (isSingle(value.slot.aspect, value.slot.key) && !heads.has(key)) heads.set(key, value)
  }
  return [...heads.values()]
}

/** A number or a date is a value of few slots. */
function isMeasure({ type }: ReportedValue): boolean {
  return type === 'number' || type === 'version' || type === 'date'
}

/** `production port` names one of two ports. */
function isNamedSlot({ report: { slots } }: ReportContext, key: string): boolean {
  return slots.includes(key) && !(key === 'port' && slots.some((one) => one.endsWith('_port')))
}

function toChange({ statement }: ReportContext, { old, value }: Pair): Statement {
  const slot: Slot = {
    ...old.slot,
    cardinality: isSingle(old.slot.aspect, old.slot.key) ? 'one' : 'many',
  }
  const from = old.isActive ? old.value : undefined
  return {
    ...statement,
    change: from === undefined ? 'set' : 'from-to',
    slot,
    value: value.text,
    from,
  }
}

interface Pair {
  readonly old: LedgerValue
  readonly value: ReportedValue
}
