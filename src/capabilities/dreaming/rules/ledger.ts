import { toCanonicalName } from '../../knowledge/index.ts'
import { hashValue, toPlainValue } from '../fact.ts'
import type { CurrentClaim, EvidenceQuote, Fact, Slot, Statement } from './statement.ts'

/** One value of a slot while a plan is made. */
export interface LedgerValue {
  readonly value: string
  readonly plain: string
  readonly slot: Slot
  readonly attributeId: string | undefined
  readonly isPinned: boolean
  /** Only a sentence that is read again has put it into this slot. */
  readonly isGuess: boolean
  isActive: boolean
  assertedAt: string
  ownWord: boolean
  trust: 'own' | 'external'
  readonly sources: Set<string>
}

/** The values of all slots, as they will be after the operations that are planned so far. */
export interface Ledger {
  listSlot(subject: string, slot: Slot): LedgerValue[]
  listSubject(subject: string): LedgerValue[]
  add(subject: string, value: LedgerValue): void
  /** Whether this source has been read for this statement before. */
  hasFact(fingerprint: string, sourceId: string): boolean
  /** Whether a statement at this place has changed a slot before. */
  hasRead(sourceId: string, start: number, length: number): boolean
  /** The newest time at which somebody has said that the value no longer holds. */
  endOf(subject: string, slot: Slot, value: string): string | undefined
  sessionsOf(fingerprint: string): ReadonlySet<string>
}

/** `reread`: facts of sentences that have changed no slot and are read again. */
export function createLedger(
  claims: readonly CurrentClaim[],
  allFacts: readonly Fact[],
  reread: ReadonlySet<Fact> = new Set(),
): Ledger {
  const facts = allFacts.filter((fact) => !reread.has(fact))
  const guessed = new Set(
    [...reread].map(({ subject, value, sourceId }) => keyOf(subject, value, sourceId)),
  )
  const subjects = new Map<string, LedgerValue[]>()
  const own = new Set(facts.filter(({ ownWord }) => ownWord).map(factKey))
  const read = new Set(
    facts
      .filter(({ slot }) => slot !== '')
      .map(({ fingerprint, sourceId }) => `${fingerprint}\n${sourceId}`),
  )
  const places = new Set(
    facts
      .filter(({ slot }) => slot !== '')
      .map(({ sourceId, start, length }) => `${sourceId}\n${start}\n${length}`),
  )
  const ends = new Map<string, string>()
  const sessions = new Map<string, Set<string>>()
  for (const fact of facts) {
    if (fact.family === 'end')
      ends.set(factKey(fact), laterOf(ends.get(factKey(fact)), fact.assertedAt))
    if (fact.session !== null)
      sessions.set(
        fact.fingerprint,
        (sessions.get(fact.fingerprint) ?? new Set()).add(fact.session),
      )
  }
  const listSubject = (subject: string) => {
    const key = toCanonicalName(subject)
    const list = subjects.get(key) ?? []
    subjects.set(key, list)
    return list
  }
  const ledger: Ledger = {
    listSubject,
    listSlot: (subject, slot) =>
      listSubject(subject).filter((one) => slotKey(one.slot) === slotKey(slot)),
    add: (subject, value) => void listSubject(subject).push(value),
    hasFact: (fingerprint, sourceId) => read.has(`${fingerprint}\n${sourceId}`),
    hasRead: (sourceId, start, length) => places.has(`${sourceId}\n${start}\n${length}`),
    endOf: (subject, slot, value) =>
      [slotKey(slot), '']
        .map((key) => ends.get(keyOf(toCanonicalName(subject), key, hashValue(value))))
        .reduce((one, other) => (other === undefined ? one : laterOf(one, other)), undefined),
    sessionsOf: (fingerprint) => sessions.get(fingerprint) ?? new Set(),
  }
  for (const claim of claims) {
    const slot = slotOf(claim)
    const key = keyOf(toCanonicalName(claim.entityName), slotKey(slot), hashValue(claim.value))
    const [source, ...others] = new Set(claim.citations.map(({ sourceId }) => sourceId))
    const subject = toCanonicalName(claim.entityName)
    const isGuess =
      others.length === 0 && guessed.has(keyOf(subject, hashValue(claim.value), source ?? ''))
    ledger.add(claim.entityName, { ...toValue(claim, slot, own.has(key)), isGuess })
  }
  return ledger
}

function slotOf({ aspect, claimKey }: CurrentClaim): Slot {
  return { aspect, key: claimKey, cardinality: 'one' }
}

function toValue(claim: CurrentClaim, slot: Slot, ownWord: boolean): LedgerValue {
  const { value, attributeId, pinned, status, assertedAt, citations } = claim
  const isOwn = citations.length === 0 || citations.some(({ trust }) => trust === 'own')
  return {
    value,
    plain: toPlainValue(value),
    slot,
    attributeId,
    isPinned: pinned,
    isGuess: false,
    isActive: status === 'active',
    assertedAt,
    ownWord,
    trust: isOwn ? 'own' : 'external',
    sources: new Set(citations.map(({ sourceId }) => sourceId)),
  }
}

export function slotKey({ aspect, key }: Slot): string {
  return `${aspect}/${key}`
}

function factKey({ subject, slot, value }: Fact): string {
  return keyOf(subject, slot, value)
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('\n')
}

function laterOf(one: string | undefined, other: string): string {
  return one !== undefined && one > other ? one : other
}

export function toQuote({ sourceKind, sourceId, quote, start, length }: Statement): EvidenceQuote {
  return { sourceKind, sourceId, quote, start, length }
}
