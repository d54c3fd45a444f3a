import { containsName } from '../check/grounding.ts'
import { toPlainValue } from '../fact.ts'
import { type Ledger, type LedgerValue, slotKey } from './ledger.ts'
import { resolve, toSingular } from './resolve.ts'
import { isSingle } from './slots.ts'
import type { Report, ReportedValue, Slot, Statement } from './statement.ts'
import { isPersonName } from './subjects.ts'
import { classOf } from './technologies.ts'
import { isDateText } from './value-shape.ts'

interface Scene {
  readonly statement: Statement
  readonly report: Report
  /** Values that the subject has. */
  readonly active: readonly LedgerValue[]
  /** Values that it has had. */
  readonly past: readonly LedgerValue[]
  /** Values of the report that the subject does not have. */
  readonly fresh: readonly ReportedValue[]
}

/** What a report says, once the ledger knows its slot; else what frames read in its sentence. */
export function settle(ledger: Ledger, statement: Statement): readonly Statement[] {
  const { report } = statement
  if (!report) return [statement]
  const { wider, statements } = report
  const reports = [statement, ...(wider ? [wider] : [])]
  if (reports.some(({ sourceId, start, length }) => ledger.hasRead(sourceId, start, length)))
    return []
  const made = reports.flatMap((one) => understand(ledger, one) ?? [])
  const replaced = made.find(({ change }) => change !== 'end')
  const isClear = statements.length > 0 && statements.every((one) => isResolved(ledger, one))
  if (replaced && !isClear) return [replaced]
  return statements.length > 0 ? statements : made.slice(0, 1)
}

/** A change that a frame has read whole. */
function isResolved(ledger: Ledger, statement: Statement): boolean {
  return statement.change === 'from-to' && resolve(ledger, statement)?.old !== undefined
}

function understand(ledger: Ledger, statement: Statement): Statement | undefined {
  const { subject, assertedAt, report } = statement
  if (!report) return undefined
  const all = ledger.listSubject(subject.name).filter((one) => one.assertedAt <= assertedAt)
  const active = all.filter((one) => one.isActive && !one.isPinned)
  const isActive = ({ text }: ReportedValue) =>
    active.some(({ plain }) => plain === toPlainValue(text))
  const fresh = report.values.filter((value) => !isActive(value))
  const past = all.filter((one) => !one.isActive)
  const scene = { statement, report, active, past, fresh }
  return replaceNamed(scene) ?? (report.isWide ? undefined : endNamed(scene)) ?? setKnown(scene)
}

/** The sentence names a value that holds and another of the same type: that takes its place. */
function replaceNamed(scene: Scene): Statement | undefined {
  const { fresh } = scene
  const pairs = listNamed(scene).flatMap((old) =>
    fresh.filter((value) => isSuccessor(scene, old, value)).map((value) => ({ old, value })),
  )
  const [pair, ...others] = pairs
  if (!pair || others.length > 0) return undefined
  const isKept = (pair.value.isBefore || isTarget(scene, pair.old)) && !isSource(scene, pair.old)
  return isKept ? undefined : toChange(scene, pair)
}

function isSuccessor(scene: Scene, old: LedgerValue, value: ReportedValue): boolean {
  const { aspect, key } = old.slot
  if (scene.report.kind === 'job' && key !== 'works_at') return false
  if (!isTold(scene, old, value) || !fits(scene, old, value)) return false
  if (scene.report.isImpersonal && !isOfClass(old, value)) return false
  if (isSingle(aspect, key)) return true
  return aspect === 'tools' && (isSource(scene, old) || isOfClass(old, value))
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

/** The sentence says that the one value that it names is gone. */
function endNamed(scene: Scene): Statement | undefined {
  const { report, statement, fresh } = scene
  const [old, ...others] = listNamed(scene)
  if (!old || others.length > 0) return undefined
  const isOver = report.kind === 'end' || (report.kind === 'job' && old.slot.key === 'works_at')
  const isSteady = ['location', 'preferences', 'languages'].includes(old.slot.aspect)
  const isOwn = ['tools', 'health'].includes(old.slot.aspect) && fresh.length === 0
  if (report.isImpersonal && !isOwn) return undefined
  if (
    !isOver ||
    isSteady ||
    !isEnded(scene, old) ||
    fresh.some((value) => isSuccessor(scene, old, value))
  )
    return undefined
  return { ...statement, change: 'end', slot: old.slot, value: old.value }
}

/** The words of the end stand next to the value: `Kafka is gone`, not `removed a topic from Kafka`. */
function isEnded({ report, statement: { quote } }: Scene, { plain, slot }: LedgerValue): boolean {
  const said = quote.toLowerCase()
  if (slot.aspect === 'health') return /aller|过敏|intoleran|unverträglich/.test(said)
  if (slot.aspect === 'decisions') return true
  const at = [plain, toSingular(plain), plain.split(' ')[0] ?? ''].map((one) => said.indexOf(one))
  const start = at.find((one) => one >= 0)
  if (start === undefined) return false
  const stop = start + plain.length
  return report.ends.some((end) => {
    if (end.start <= start && end.end >= start) return true
    if (end.start > start && pronoun.test(said.slice(end.start, end.end + 4))) return true
    const [between, limit] =
      end.end <= start ? [said.slice(end.end, start), 2] : [said.slice(stop, end.start), 4]
    const words = between.split(/[\s']+/u).filter((word) => word !== '')
    return words.length <= limit && !subordinate.test(between)
  })
}

const pronoun = /\b(?:it|them|ihn|es|sie)\b|它/u
const subordinate =
  /\b(?:when|while|after|before|because|if|that|which|until|wenn|als|weil|nachdem|bevor|dass)\b/u

/** The sentence names a slot, or a value that tells the slot. */
function setKnown(scene: Scene): Statement | undefined {
  const { past, fresh, report } = scene
  const isVague = report.kind === 'job' || report.isImpersonal
  if (isVague || listNamed(scene).length > 0) return undefined
  const named = report.slots.length
  const found = fresh.flatMap((value) => {
    if (value.isBefore || (report.kind === 'plain' && !isMeasure(value))) return []
    const plain = toPlainValue(value.text)
    const kind = classOf(value.text)
    const returned = past.filter((one) => one.plain === plain).map(({ slot }) => slot.key)
    return listHeads(scene)
      .filter((old) => fits(scene, old, value))
      .filter(
        ({ slot: { key } }) =>
          (named > 0 && isNamedSlot(scene, key)) ||
          (report.kind !== 'plain' && (key === kind || returned.includes(key))),
      )
      .map((old) => ({ old, value }))
  })
  const [pair, ...others] = found
  return pair && others.length === 0 ? toChange(scene, pair) : undefined
}

/** The value that a slot of one has, or had last. */
function listHeads({ active, past }: Scene): LedgerValue[] {
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
function isNamedSlot({ report: { slots } }: Scene, key: string): boolean {
  return slots.includes(key) && !(key === 'port' && slots.some((one) => one.endsWith('_port')))
}

function toChange({ statement }: Scene, { old, value }: Pair): Statement {
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

/** Active values that the sentence names, by any word of a person's name. */
function listNamed({ active, report, statement: { quote } }: Scene): LedgerValue[] {
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

const stemLength = 6

/** `Haselnuss` for `Haselnüsse` */
function toStem(text: string): string {
  return toSingular(text).normalize('NFD').replaceAll(/\p{M}/gu, '')
}

function isTarget({ report: { targets } }: Scene, { plain }: LedgerValue): boolean {
  return targets.some((words) => words.toLowerCase().startsWith(plain))
}

function isSource({ report: { sources } }: Scene, { plain }: LedgerValue): boolean {
  return sources.some((words) => containsName(words, plain))
}

/** Whether a value may stand in the slot of another. */
function fits(scene: Scene, old: LedgerValue, next: ReportedValue): boolean {
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
