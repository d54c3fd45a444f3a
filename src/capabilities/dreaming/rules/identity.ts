import { toCanonicalName } from '../../knowledge/index.ts'
import { type Family, fingerprintOf, hashValue, toPlainValue } from '../fact.ts'
import { type LedgerValue, slotKey } from './ledger.ts'
import type { Fact, Slot, Statement } from './statement.ts'

function familyOf({ change }: Statement): Family {
  return change === 'end' ? 'end' : 'claim'
}

/** What makes two statements the same. */
export function identityOf(statement: Statement, slot: Slot | undefined) {
  return {
    family: familyOf(statement),
    subject: statement.subject.name,
    slot: slot ? slotKey(slot) : '',
    value: statement.value,
  }
}

export function toFact(statement: Statement, fingerprint: string, slot: Slot | undefined): Fact {
  const { sourceKind, sourceId, start, length, session, assertedAt, ownWord, subject, value } =
    statement
  return {
    sourceKind,
    sourceId,
    fingerprint,
    family: familyOf(statement),
    subject: toCanonicalName(subject.name),
    slot: slot ? slotKey(slot) : '',
    value: hashValue(value),
    start,
    length,
    session,
    assertedAt,
    ownWord,
  }
}

/** Ends the old value of a change, in any slot. */
export function toEndFact(statement: Statement, from: string): Fact {
  const ended: Statement = { ...statement, change: 'end', value: from }
  return toFact(ended, fingerprintOf(identityOf(ended, undefined)), undefined)
}

export function toLedgerValue(statement: Statement, slot: Slot, isActive: boolean): LedgerValue {
  const { value, assertedAt, ownWord, trust, sourceId } = statement
  return {
    value,
    plain: toPlainValue(value),
    slot,
    attributeId: undefined,
    isPinned: false,
    isGuess: false,
    isActive,
    assertedAt,
    ownWord,
    trust,
    sources: new Set([sourceId]),
  }
}
