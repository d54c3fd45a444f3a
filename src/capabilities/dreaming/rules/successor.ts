import { containsName } from '../check/grounding.ts'
import { toPlainValue } from '../fact.ts'
import { isCompany } from './known-names.ts'
import type { LedgerValue } from './ledger.ts'
import { isPersonName } from './person-name.ts'
import { toSingular } from './resolve.ts'
import { isSingle } from './slots.ts'
import type { Report, ReportedValue, Statement } from './statement.ts'
import { classOf } from './technologies.ts'
import { isDateText } from './value-shape.ts'

/** A report and the values of its subject in the ledger. */
export interface ReportContext {
  readonly statement: Statement
  readonly report: Report
  /** Values that the subject has. */
  readonly active: readonly LedgerValue[]
  /** Values that it has had. */
  readonly past: readonly LedgerValue[]
  /** Values of the report that the subject does not have. */
  readonly newValues: readonly ReportedValue[]
  /** The report has no other value. */
  readonly isAlone: boolean
}

/** Whether a value takes the place of one that the sentence names. */
export function isSuccessor(
  context: ReportContext,
  old: LedgerValue,
  value: ReportedValue,
): boolean {
  const { aspect, key } = old.slot
  if (
    !isAnnounced(context, old, value) ||
    !fits(context, old, value) ||
    isOfAnother(context, old, value)
  )
    return false
  if (isSingle(aspect, key)) return true
  return aspect === 'tools' && (isSource(context, old) || isOfClass(old, value))
}

/** The sentence speaks of something else: a job, a trip, a part of the old value. */
function isOfAnother(context: ReportContext, old: LedgerValue, value: ReportedValue): boolean {
  const { kind, slots, isImpersonal } = context.report
  const { aspect, key } = old.slot
  return (
    (kind === 'job' && key !== 'works_at') ||
    (aspect === 'location' && !slots.includes('lives_in')) ||
    (isImpersonal && !isOfClass(old, value)) ||
    (isPart(context, old) && !isApart(context, old, value.text))
  )
}

/** It only describes another noun. */
function isPart({ report, statement: { quote } }: ReportContext, { plain }: LedgerValue): boolean {
  return report.modifiers.includes(quote.toLowerCase().indexOf(plain) + plain.length)
}

/** Without a word of a change, the places of both values must announce it. */
function isAnnounced(context: ReportContext, old: LedgerValue, value: ReportedValue): boolean {
  const { kind, slots } = context.report
  if (kind !== 'plain') return true
  const isHandedOver = old.slot.key === 'owner' && isApart(context, old, value.text)
  const isNamed = slots.includes(old.slot.key) || isOfClass(old, value)
  return isNamed && (isSource(context, old) || isHandedOver)
}

/** Both are well-known names of one class. */
function isOfClass(old: LedgerValue, { text }: ReportedValue): boolean {
  const kind = classOf(text)
  return kind !== undefined && kind === classOf(old.value)
}

/** Active values that the sentence names, by any word of a person's name. */
export function listNamed({ active, report, statement: { quote } }: ReportContext): LedgerValue[] {
  const people = new Set(
    report.values.filter(({ type }) => type === 'person').map(({ text }) => toPlainValue(text)),
  )
  const words = quote.toLowerCase()
  return active.filter(
    ({ plain, slot }) =>
      people.has(plain) ||
      containsName(quote, plain) ||
      containsName(quote, toSingular(plain)) ||
      (slot.aspect === 'health' && toStem(words).includes(toStem(plain).slice(0, stemLength))),
  )
}

/** Words between a phrase and its value. */
export const maxBetween = 2
const stemLength = 6

/** `Haselnuss` for `Haselnüsse` */
function toStem(text: string): string {
  return toSingular(text).normalize('NFD').replaceAll(/\p{M}/gu, '')
}

export function isTarget({ report: { targets } }: ReportContext, { plain }: LedgerValue): boolean {
  return targets.some((words) => words.toLowerCase().startsWith(plain))
}

export function isSource({ report: { sources } }: ReportContext, { plain }: LedgerValue): boolean {
  return sources.some((words) => {
    const at = words.toLowerCase().indexOf(plain)
    const between = words.slice(0, Math.max(at, 0)).trim()
    return at >= 0 && between.split(/\s+/).length <= maxBetween && !/\bof\b/.test(between)
  })
}

/** Whether a value fits the slot of another one. */
export function fits(context: ReportContext, old: LedgerValue, next: ReportedValue): boolean {
  const { report, active } = context
  if (containsName(next.text, old.plain) || containsName(old.value, next.text)) return false
  if (active.some(({ plain }) => plain === toPlainValue(next.text))) return false
  if (old.slot.key === 'lives_in' && isCompany(next.text)) return false
  const isOfPerson = old.slot.key === 'owner'
  if (isOfPerson || next.type === 'person')
    return isOfPerson && isPerson(next) && report.slots.includes('owner')
  return typeOf(old.plain) === next.type && isOfKind(context, old, next)
}

/** Known, or a full name. */
function isPerson({ type, text }: ReportedValue): boolean {
  return (
    type === 'person' ||
    (type === 'name' &&
      /^\p{Lu}\p{Ll}/u.test(text) &&
      isPersonName(text) &&
      classOf(text) === undefined)
  )
}

/** Well-known names only replace names of their class; an unknown name may be of any. */
function isOfKind(context: ReportContext, old: LedgerValue, { text }: ReportedValue): boolean {
  const [before, after] = [classOf(old.value), classOf(text)]
  if (before === after || old.slot.key === after) return true
  const isOpen = before === undefined || after === undefined
  const { kind, slots } = context.report
  const isLeft = isSource(context, old) || (kind !== 'plain' && isApart(context, old, text))
  const isSlotNamed = slots.includes(old.slot.key) || isLeft
  return isOpen && old.slot.aspect === 'properties' && isSlotNamed
}

/** Whether a mark separates both: `MySQL is out, Foo is in`. */
function isApart(
  { statement: { quote } }: ReportContext,
  { plain }: LedgerValue,
  text: string,
): boolean {
  const quoteWords = quote.toLowerCase()
  const [first = ''] = plain.split(' ')
  const places = [
    quoteWords.includes(plain) ? quoteWords.indexOf(plain) : quoteWords.indexOf(first),
    quote.indexOf(text),
  ]
  const [start = 0, end = 0] = places.toSorted((a, b) => a - b)
  return start >= 0 && /[,;:.!–—]/.test(quote.slice(start, end))
}

function typeOf(plain: string): ReportedValue['type'] {
  if (/^\d{2,5}$/.test(plain)) return 'number'
  if (/^v?\d+(?:\.\d+)+$/.test(plain)) return 'version'
  return isDateText(plain) ? 'date' : 'name'
}
