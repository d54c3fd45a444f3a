import { containsName } from '../check/grounding.ts'
import { toPlainValue } from '../fact.ts'
import type { LedgerValue } from './ledger.ts'
import { toSingular } from './resolve.ts'
import { isSingle } from './slots.ts'
import type { Report, ReportedValue, Statement } from './statement.ts'
import { isPersonName } from './subjects.ts'
import { classOf } from './technologies.ts'
import { isDateText } from './value-shape.ts'

/** A report and what the ledger holds of its subject. */
export interface Scene {
  readonly statement: Statement
  readonly report: Report
  /** Values that the subject has. */
  readonly active: readonly LedgerValue[]
  /** Values that it has had. */
  readonly past: readonly LedgerValue[]
  /** Values of the report that the subject does not have. */
  readonly fresh: readonly ReportedValue[]
  /** The report has no other value. */
  readonly isAlone: boolean
}

/** Whether a value takes the place of one that the sentence names. */
export function isSuccessor(scene: Scene, old: LedgerValue, value: ReportedValue): boolean {
  const { aspect, key } = old.slot
  if (!isTold(scene, old, value) || !fits(scene, old, value) || isOfAnother(scene, old, value))
    return false
  if (isSingle(aspect, key)) return true
  return aspect === 'tools' && (isSource(scene, old) || isOfClass(old, value))
}

/** The sentence speaks of something else: a job, a trip, a part of the old value. */
function isOfAnother(scene: Scene, old: LedgerValue, value: ReportedValue): boolean {
  const { kind, slots, isImpersonal } = scene.report
  const { aspect, key } = old.slot
  return (
    (kind === 'job' && key !== 'works_at') ||
    (aspect === 'location' && !slots.includes('lives_in')) ||
    (isImpersonal && !isOfClass(old, value)) ||
    (isPart(scene, old) && !isApart(scene, old, value.text))
  )
}

/** It only describes another noun. */
function isPart({ report, statement: { quote } }: Scene, { plain }: LedgerValue): boolean {
  return report.modifiers.includes(quote.toLowerCase().indexOf(plain) + plain.length)
}

/** Without a word of a change, the places of both values must tell it. */
function isTold(scene: Scene, old: LedgerValue, value: ReportedValue): boolean {
  const { kind, slots } = scene.report
  if (kind !== 'plain') return true
  const isHandedOver = old.slot.key === 'owner' && isApart(scene, old, value.text)
  const isNamed = slots.includes(old.slot.key) || isOfClass(old, value)
  return isNamed && (isSource(scene, old) || isHandedOver)
}

/** Both are well-known names of one class. */
function isOfClass(old: LedgerValue, { text }: ReportedValue): boolean {
  const kind = classOf(text)
  return kind !== undefined && kind === classOf(old.value)
}

/** Active values that the sentence names, by any word of a person's name. */
export function listNamed({ active, report, statement: { quote } }: Scene): LedgerValue[] {
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

export function isTarget({ report: { targets } }: Scene, { plain }: LedgerValue): boolean {
  return targets.some((words) => words.toLowerCase().startsWith(plain))
}

export function isSource({ report: { sources } }: Scene, { plain }: LedgerValue): boolean {
  return sources.some((words) => {
    const at = words.toLowerCase().indexOf(plain)
    const between = words.slice(0, Math.max(at, 0)).trim()
    return at >= 0 && between.split(/\s+/).length <= maxBetween && !/\bof\b/.test(between)
  })
}

/** Whether a value may stand in the slot of another. */
export function fits(scene: Scene, old: LedgerValue, next: ReportedValue): boolean {
  const { report, active } = scene
  if (containsName(next.text, old.plain) || containsName(old.value, next.text)) return false
  if (active.some(({ plain }) => plain === toPlainValue(next.text))) return false
  const isOfPerson = old.slot.key === 'owner'
  if (isOfPerson || next.type === 'person')
    return isOfPerson && isPerson(next) && report.slots.includes('owner')
  return typeOf(old.plain) === next.type && isOfKind(scene, old, next)
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
function isOfKind(scene: Scene, old: LedgerValue, { text }: ReportedValue): boolean {
  const [before, after] = [classOf(old.value), classOf(text)]
  if (before === after || old.slot.key === after) return true
  const isOpen = before === undefined || after === undefined
  const { kind, slots } = scene.report
  const isLeft = isSource(scene, old) || (kind !== 'plain' && isApart(scene, old, text))
  const isMeant = slots.includes(old.slot.key) || isLeft
  return isOpen && old.slot.aspect === 'properties' && isMeant
}

/** Whether a mark stands between both: `MySQL is out, Foo is in`. */
function isApart({ statement: { quote } }: Scene, { plain }: LedgerValue, text: string): boolean {
  const said = quote.toLowerCase()
  const [first = ''] = plain.split(' ')
  const places = [
    said.includes(plain) ? said.indexOf(plain) : said.indexOf(first),
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
