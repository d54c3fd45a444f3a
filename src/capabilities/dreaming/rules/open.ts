import { toCanonicalName } from '../../knowledge/index.ts'
import { fingerprintOf, hashValue } from '../fact.ts'
import type { Fact, SourceRef, Statement } from './statement.ts'
import { classOf } from './technologies.ts'

/** Sources that one pass reads again. The next pass reads the others. */
export const maxReopened = 50

/** Whether a value that comes later could make a change of this sentence. */
export function mayMatter({ report }: Statement): boolean {
  if (!report) return false
  const { kind, values, slots, isImpersonal } = report
  const named = values.filter(({ type, text }) => type !== 'name' || classOf(text) !== undefined)
  if (kind === 'plain' || isImpersonal) return named.length > 0
  return (
    kind === 'end' || kind === 'job' || named.length > 0 || (values.length > 0 && slots.length > 0)
  )
}

/** A sentence about a change that the ledger does not understand yet: its old value may come later. */
export function toOpenFact(statement: Statement): Fact {
  const { sourceKind, sourceId, start, length, session, assertedAt, ownWord, subject } = statement
  const value = `report ${start}`
  return {
    sourceKind,
    sourceId,
    fingerprint: fingerprintOf({ family: 'claim', subject: subject.name, slot: '', value }),
    family: 'claim',
    subject: toCanonicalName(subject.name),
    slot: '',
    value: hashValue(value),
    start,
    length,
    session,
    assertedAt,
    ownWord,
  }
}

function placeOf({ sourceKind, sourceId, start }: Fact): string {
  return `${sourceKind}\n${sourceId}\n${start}`
}

/** Facts of places that have changed no slot. */
export function listOpen(facts: readonly Fact[]): Fact[] {
  const settled = new Set(facts.filter(({ slot }) => slot !== '').map(placeOf))
  return facts.filter((fact) => fact.slot === '' && !settled.has(placeOf(fact)))
}

/**
 * Sources that say something of a subject after a time of which the window reads only now, the oldest
 * first.
 */
export function listReopened(
  statements: readonly Statement[],
  facts: readonly Fact[],
): SourceRef[] {
  const earliest = new Map<string, string>()
  for (const { subject, assertedAt } of statements) {
    const key = toCanonicalName(subject.name)
    const known = earliest.get(key)
    if (known === undefined || assertedAt < known) earliest.set(key, assertedAt)
  }
  const known = new Set(statements.map(({ sourceKind, sourceId }) => `${sourceKind}\n${sourceId}`))
  const found = new Map<string, SourceRef>()
  const open = listOpen(facts).toSorted((a, b) => a.assertedAt.localeCompare(b.assertedAt))
  for (const { subject, assertedAt, sourceKind, sourceId } of open) {
    const from = earliest.get(subject)
    const key = `${sourceKind}\n${sourceId}`
    if (from !== undefined && from <= assertedAt && !known.has(key))
      found.set(key, { sourceKind, sourceId })
  }
  return [...found.values()]
}
