import type { Ledger, LedgerValue } from './ledger.ts'
import { toQuote } from './ledger.ts'
import type { Resolved } from './resolve.ts'
import { reviewTime } from './slots.ts'
import type {
  EvidenceQuote,
  Fact,
  PlannedAttention,
  PlannedOperation,
  Slot,
  Statement,
} from './statement.ts'

/** More evidence may come. */
type OpenOperation = { -readonly [Key in keyof PlannedOperation]: PlannedOperation[Key] }

export interface Plan {
  readonly ledger: Ledger
  readonly operations: OpenOperation[]
  readonly attention: PlannedAttention[]
  readonly facts: Fact[]
  /** The last operation of a value of a slot. */
  readonly last: Map<LedgerValue, OpenOperation>
}

const sessionBonus = 0.05

export interface Step extends Resolved {
  readonly statement: Statement
  readonly fingerprint: string
}

/** Values of the graph do not say how many their slot has; the aspect does. */
export function isMany(slot: Slot, old: LedgerValue | undefined): boolean {
  if (slot.cardinality === 'many') return true
  const { aspect } = old?.slot ?? slot
  return ['preferences', 'health', 'languages', 'tools', 'dependencies', 'decisions'].includes(
    aspect,
  )
}

/** Where an operation writes. */
export function placeOf({ statement: { subject } }: Step, slot: Slot) {
  const id = subject.entityId === undefined ? {} : { entity_id: subject.entityId }
  const entity = { ...id, entity: subject.name, entity_type: subject.type }
  return { ...entity, aspect: slot.aspect, group_key: 'general', claim_key: slot.key }
}

/** Plans the operation of a value that has none yet. */
export function write(plan: Plan, step: Step, value: LedgerValue, reviewRequired = false): void {
  const { statement, slot, fingerprint } = step
  const reviewAfter = reviewTime(slot, value.value, statement.assertedAt)
  const planned: OpenOperation = {
    operation: isMany(slot, value) ? 'add_claim_value' : 'set_claim_value',
    payload: {
      ...placeOf(step, slot),
      value: value.value,
      ...(reviewAfter !== undefined && { review_after: reviewAfter }),
    },
    evidence: [toQuote(statement)] as readonly EvidenceQuote[],
    reason: statement.ownWord ? 'The subject says so.' : 'The source says so.',
    confidence: confidenceOf(plan, step),
    rule: statement.rule,
    fingerprint,
    reviewRequired,
  }
  plan.operations.push(planned)
  plan.last.set(value, planned)
}

/** What two sessions say is more certain. */
export function confidenceOf(
  { ledger, facts }: Plan,
  { statement, fingerprint }: Pick<Step, 'statement' | 'fingerprint'>,
): number {
  const sessions = new Set(ledger.sessionsOf(fingerprint))
  for (const fact of facts)
    if (fact.fingerprint === fingerprint && fact.session !== null) sessions.add(fact.session)
  const bonus = sessions.size > 1 ? sessionBonus : 0
  return Math.round((statement.confidence + bonus) * 100) / 100
}
