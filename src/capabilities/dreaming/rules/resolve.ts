import { containsName } from '../check/grounding.ts'
import { toPlainValue } from '../fact.ts'
import type { Ledger, LedgerValue } from './ledger.ts'
import { findSlot } from './slots.ts'
import type { Slot, Statement } from './statement.ts'
import { classOf, isOfProject } from './technologies.ts'

/** A statement with its slot, and the value that it ends or replaces. */
export interface Resolved {
  readonly slot: Slot
  readonly old: LedgerValue | undefined
}

/** A change without a slot belongs to the one that holds the old value. */
export function resolve(ledger: Ledger, statement: Statement): Resolved | undefined {
  const { subject, slot, change, value, from } = statement
  const oldValue = change === 'end' ? value : from
  const all = ledger.listSubject(subject.name)
  const values = slot ? ledger.listSlot(subject.name, slot) : all
  const active = values.filter(({ isActive, isGuess }) => isActive && !isGuess)
  const named = oldValue === undefined ? undefined : findMeant(active, toPlainValue(oldValue))
  const isOpen = slot === undefined && change === 'from-to'
  const old = named ?? (isOpen ? findReplaced(active, statement) : undefined)
  if (slot) return withSlot(all, statement, { slot, old })
  if (old) return { slot: old.slot, old }
  const defaultSlot = change === 'end' ? undefined : findDefaultSlot(values, statement)
  return defaultSlot && { slot: defaultSlot, old: undefined }
}

function withSlot(
  values: readonly LedgerValue[],
  statement: Statement,
  { slot, old }: Resolved,
): Resolved {
  const moved = old ? undefined : findMoved(values, statement)
  if (moved) return { slot: moved.slot, old: moved }
  return { slot: canonicalSlot(values, statement, slot), old }
}

const ofLife: ReadonlySet<string> = new Set(['lives_in', 'works_at'])

/** `Ada moved from Northwind to Osprey Films`: the old value says whether it is a home or a job. */
function findMoved(
  values: readonly LedgerValue[],
  { slot, from }: Statement,
): LedgerValue | undefined {
  if (from === undefined || !ofLife.has(slot?.key ?? '')) return undefined
  const plain = toPlainValue(from)
  return values.find(
    (one) => one.isActive && !one.isGuess && ofLife.has(one.slot.key) && one.plain === plain,
  )
}

/** `runs on PostgreSQL` and `now uses PostgreSQL` name the same database. */
function canonicalSlot(values: readonly LedgerValue[], statement: Statement, slot: Slot): Slot {
  const { subject, value, change, changeWord } = statement
  const kind = classOf(value)
  if (kind === undefined || change === 'end') return slot
  if (subject.type === 'person') return ownSlot(values, statement, slot, kind)
  const isOther = slot.key === 'deployed_on' && (kind === 'database' || kind === 'language')
  const isUsed =
    slot.key === 'uses' && changeWord && values.some((one) => one.isActive && one.slot.key === kind)
  return isOther || isUsed ? (findSlot(kind) ?? slot) : slot
}

/** `I use Kate now` changes the editor, where the graph has one. */
function ownSlot(
  values: readonly LedgerValue[],
  { changeWord }: Statement,
  slot: Slot,
  kind: string,
): Slot {
  const held = values.find((one) => one.isActive && one.slot.key === kind)
  return held && changeWord && slot.key === 'uses' ? { ...held.slot, cardinality: 'one' } : slot
}

/** `peanut` for `peanuts` */
export function toSingular(value: string): string {
  if (/\p{L}{2}ies$/u.test(value)) return value.replace(/ies$/, 'y')
  return value.replace(/(?<=\p{L}{2}(?:ch|sh|ss|x|z))es$|(?<=\p{L}{3})s$/u, '')
}

/** The value itself, or the only one that has its words and more, as `MySQL 8` for `MySQL`. */
function findMeant(active: readonly LedgerValue[], plain: string): LedgerValue | undefined {
  const exact = active.find((one) => one.plain === plain)
  if (exact) return exact
  const inflected = active.filter((one) => toSingular(one.plain) === toSingular(plain))
  if (inflected.length === 1) return inflected[0]
  const longer = active.filter(
    (one) => one.plain.startsWith(`${plain} `) || one.plain.endsWith(` ${plain}`),
  )
  return longer.length === 1 ? longer[0] : undefined
}

/** The only other value that the sentence names, or the only one of the same class. */
function findReplaced(
  active: readonly LedgerValue[],
  { value, from, quote }: Pick<Statement, 'value' | 'from' | 'quote'>,
): LedgerValue | undefined {
  const plain = toPlainValue(value)
  const others = active.filter((one) => one.plain !== plain)
  const named = from === undefined ? others.filter((one) => containsName(quote, one.value)) : []
  if (named.length === 1) return named[0]
  const kind = classOf(value)
  const similar = others.filter((one) => kind !== undefined && isOfClass(one, kind))
  return similar.length === 1 ? similar[0] : undefined
}

/** Held by the slot of the class, or used without a slot of its own. */
function isOfClass({ slot, value }: LedgerValue, kind: string): boolean {
  return slot.key === kind || (slot.key === 'uses' && classOf(value) === kind)
}

/** The slot that has held the new value before, the one of its class, or the one of the frame. */
function findDefaultSlot(
  values: readonly LedgerValue[],
  { subject, value, fallback }: Statement,
): Slot | undefined {
  const plain = toPlainValue(value)
  const before = new Map(
    values
      .filter((one) => one.plain === plain && one.slot.aspect === 'properties')
      .map((one) => [one.slot.key, one.slot]),
  )
  if (before.size === 1) return [...before.values()][0]
  const kind = classOf(value)
  const isKnown = kind !== undefined && subject.type === 'project' && isOfProject(kind)
  return (isKnown ? findSlot(kind) : undefined) ?? fallback
}
