import { containsName } from '../check/grounding.ts'
import { toPlainValue } from '../fact.ts'
import type { Ledger, LedgerValue } from './ledger.ts'
import type { Slot, Statement } from './statement.ts'

/** A statement with its slot, and the value that it ends or replaces. */
export interface Resolved {
  readonly slot: Slot
  readonly old: LedgerValue | undefined
}

/** A change without a slot belongs to the one that holds the old value. */
export function resolve(
  ledger: Ledger,
  { subject, slot, fallback, change, value, from, quote }: Statement,
): Resolved | undefined {
  const oldValue = change === 'end' ? value : from
  const values = slot ? ledger.listSlot(subject.name, slot) : ledger.listSubject(subject.name)
  const active = values.filter(({ isActive }) => isActive)
  const isChange = slot === undefined && change === 'from-to'
  const old =
    oldValue === undefined
      ? isChange && findMentioned(active, { value, quote })
      : findMeant(active, toPlainValue(oldValue))
  if (slot) return { slot, old: old || undefined }
  if (old) return { slot: old.slot, old }
  return fallback && { slot: fallback, old: undefined }
}

/** The value itself, or the only one that has its words and more, as `MySQL 8` for `MySQL`. */
function findMeant(active: readonly LedgerValue[], plain: string): LedgerValue | undefined {
  const exact = active.find((one) => one.plain === plain)
  if (exact) return exact
  const longer = active.filter(
    (one) => one.plain.startsWith(`${plain} `) || one.plain.endsWith(` ${plain}`),
  )
  return longer.length === 1 ? longer[0] : undefined
}

/** `I switched to Kate, Geany was too slow`: the only other value that the sentence names. */
function findMentioned(
  active: readonly LedgerValue[],
  { value, quote }: Pick<Statement, 'value' | 'quote'>,
): LedgerValue | undefined {
  const plain = toPlainValue(value)
  const named = active.filter((one) => one.plain !== plain && containsName(quote, one.value))
  return named.length === 1 ? named[0] : undefined
}
