import { fingerprintOf, toPlainValue } from '../fact.ts'
import { identityOf, toEndFact, toFact, toLedgerValue } from './identity.ts'
import { interpretReport } from './interpret-report.ts'
import { isKnownKey } from './language.ts'
import { createLedger, type Ledger, type LedgerValue, slotKey, toQuote } from './ledger.ts'
import { compareStatements } from './read-statements.ts'
import { type Resolved, resolve } from './resolve.ts'
import { isAlias, reviewTime } from './slots.ts'
import type {
  CurrentClaim,
  EvidenceQuote,
  Fact,
  PlannedAttention,
  PlannedOperation,
  RefusedFingerprint,
  Slot,
  Statement,
} from './statement.ts'
import { classOf } from './technologies.ts'

export interface DecideRequest {
  readonly statements: readonly Statement[]
  /** Of the subjects of the statements. */
  readonly facts: readonly Fact[]
  /** All values of the subjects of the statements. */
  readonly claims: readonly CurrentClaim[]
  readonly refusals: readonly RefusedFingerprint[]
}

export interface Decision {
  /** In the order in which they must be applied. */
  readonly operations: readonly PlannedOperation[]
  readonly attention: readonly PlannedAttention[]
  /** What the ledger stores when the plan is applied. */
  readonly facts: readonly Fact[]
}

/** More evidence may come. */
type OpenOperation = { -readonly [Key in keyof PlannedOperation]: PlannedOperation[Key] }

interface Plan {
  readonly ledger: Ledger
  readonly operations: OpenOperation[]
  readonly attention: PlannedAttention[]
  readonly facts: Fact[]
  /** The last operation of a value of a slot. */
  readonly last: Map<LedgerValue, OpenOperation>
}

const maxCitations = 5
const staleMs = 90 * 24 * 3_600_000
const sessionBonus = 0.05
const attentionPriority = 70

/** Plans the operations that make the graph true to the statements. */
export function decideOperations(request: DecideRequest): Decision {
  const { statements, facts, claims, refusals } = request
  const ledger = createLedger(claims, facts)
  const plan: Plan = { ledger, operations: [], attention: [], facts: [], last: new Map() }
  const refused = new Map(refusals.map(({ fingerprint, untilAfter }) => [fingerprint, untilAfter]))
  for (const candidate of [...statements].toSorted(compareStatements))
    for (const statement of interpretReport(ledger, candidate)) record(plan, statement, refused)
  const { operations, attention } = plan
  return { operations, attention, facts: plan.facts }
}

function record(plan: Plan, statement: Statement, refused: ReadonlyMap<string, string>): void {
  const { ledger, facts } = plan
  const resolved = resolve(ledger, statement)
  const fingerprint = fingerprintOf(identityOf(statement, resolved?.slot))
  const refusedUntil = refused.get(fingerprint)
  const isRefused = refusedUntil !== undefined && statement.assertedAt <= refusedUntil
  if (isRefused || ledger.hasFact(fingerprint, statement.sourceId)) return
  facts.push(toFact(statement, fingerprint, resolved?.slot))
  if (statement.from !== undefined) facts.push(toEndFact(statement, statement.from))
  if (resolved) decide(plan, { ...resolved, statement, fingerprint })
}

interface Step extends Resolved {
  readonly statement: Statement
  readonly fingerprint: string
}

function decide(plan: Plan, step: Step): void {
  const { statement, slot, old } = step
  if (isAlias(slot)) {
    proposeAlias(plan, step)
    return
  }
  if (statement.change === 'end') {
    end(plan, step)
    return
  }
  if (statement.change === 'from-to' && isMany(slot, old) && old) end(plan, step)
  const same = plan.ledger
    .listSlot(statement.subject.name, slot)
    .find((one) => one.isActive && one.plain === toPlainValue(statement.value))
  if (same) cite(plan, step, same)
  else if (isMany(slot, old)) add(plan, step)
  else set(plan, step)
  endOthers(plan, step)
}

/** A change may replace a value of another slot: `uses Vim`, then `my editor is Kate now`. */
function endOthers(plan: Plan, step: Step): void {
  const { statement, slot } = step
  if (!statement.changeWord && statement.from === undefined) return
  const isNewest = plan.ledger
    .listSlot(statement.subject.name, slot)
    .some((one) => one.isActive && one.plain === toPlainValue(statement.value))
  if (!isNewest) return
  for (const old of plan.ledger.listSubject(statement.subject.name))
    if (old.isActive && isReplaced(old, step)) end(plan, { ...step, old })
}

function isReplaced({ plain, value, slot }: LedgerValue, { statement, slot: changed }: Step) {
  if (plain === toPlainValue(statement.value) || slotKey(slot) === slotKey(changed)) return false
  const isUsed = slot.key === 'uses' || slot.key === 'depends_on'
  const isFrom = statement.from !== undefined && plain === toPlainValue(statement.from)
  if (isFrom) return isKnownKey(changed.key)
  return isUsed && changed.key === classOf(value)
}

/** Only for an entity of the graph, which no statement about its name makes. */
function proposeAlias(plan: Plan, { statement, fingerprint }: Step): void {
  const { subject, value, rule } = statement
  const isPlanned = plan.operations.some((one) => one.fingerprint === fingerprint)
  if (subject.entityId === undefined || isPlanned) return
  plan.operations.push({
    operation: 'create_entity_alias',
    payload: {
      entity_id: subject.entityId,
      entity: subject.name,
      alias: value,
      source: 'dreaming',
    },
    evidence: [toQuote(statement)],
    reason: 'The source gives this as another name.',
    confidence: confidenceOf(plan, { statement, fingerprint }),
    rule,
    fingerprint,
    reviewRequired: true,
  })
}

/** Values of the graph do not say how many their slot has; the aspect does. */
function isMany(slot: Slot, old: LedgerValue | undefined): boolean {
  if (slot.cardinality === 'many') return true
  const { aspect } = old?.slot ?? slot
  return ['preferences', 'health', 'languages', 'tools', 'dependencies', 'decisions'].includes(
    aspect,
  )
}

/** The value is known: this source supports it too. */
function cite(plan: Plan, step: Step, value: LedgerValue): void {
  const { statement } = step
  if (statement.ownWord) value.ownWord = true
  if (statement.assertedAt > value.assertedAt) value.assertedAt = statement.assertedAt
  if (value.sources.has(statement.sourceId) || value.sources.size >= maxCitations) return
  value.sources.add(statement.sourceId)
  const operation = plan.last.get(value)
  if (!operation) {
    write(plan, step, value)
    return
  }
  operation.evidence = [...operation.evidence, toQuote(statement)]
  operation.confidence = Math.max(operation.confidence, confidenceOf(plan, step))
}

function add(plan: Plan, step: Step): void {
  const { statement, slot } = step
  if (isEnded(plan, step)) return
  const value = toLedgerValue(statement, slot, true)
  plan.ledger.add(statement.subject.name, value)
  write(plan, step, value)
}

/** Somebody has said later that the value no longer holds. */
function isEnded({ ledger }: Plan, { statement, slot }: Step): boolean {
  const ended = ledger.endOf(statement.subject.name, slot, statement.value)
  return ended !== undefined && ended >= statement.assertedAt
}

function set(plan: Plan, step: Step): void {
  const { statement, slot } = step
  const values = plan.ledger.listSlot(statement.subject.name, slot)
  const current = values.find(({ isActive }) => isActive)
  const isLate = current !== undefined && statement.assertedAt < current.assertedAt
  if (isEnded(plan, step)) return
  if (isLate) {
    const isKnown = values.some(({ plain }) => plain === toPlainValue(statement.value))
    if (isKnown) return
  } else if (current && isContested(current, step)) {
    contest(plan, step, current)
    return
  }
  const isExternal = current?.trust === 'own' && statement.trust === 'external'
  const value = toLedgerValue(statement, slot, !isLate && !isExternal)
  plan.ledger.add(statement.subject.name, value)
  if (current && value.isActive) current.isActive = false
  write(plan, step, value, isExternal)
}

/** Another person contradicts what the subject says of itself, and names no change. */
function isContested(current: LedgerValue, { statement }: Step): boolean {
  if (current.isPinned) return true
  if (statement.ownWord || statement.changeWord || !current.ownWord) return false
  return Date.parse(statement.assertedAt) - Date.parse(current.assertedAt) < staleMs
}

function contest(plan: Plan, { statement, slot }: Step, current: LedgerValue): void {
  plan.attention.push({
    kind: 'contested_claim',
    subjectRef: current.attributeId
      ? `attribute:${current.attributeId}`
      : `slot:${statement.subject.name}/${slotKey(slot)}`,
    details: {
      subject: statement.subject.name,
      slot: slotKey(slot),
      current: current.value,
      stated: statement.value,
      evidence: [...(plan.last.get(current)?.evidence ?? []), toQuote(statement)],
    },
    priority: attentionPriority,
  })
}

/** Superseded by nothing: the value remains in the history of its slot. */
function end(plan: Plan, step: Step): void {
  const { statement, old } = step
  if (!old || old.isPinned || old.assertedAt > statement.assertedAt) return
  const isExternal = old.trust === 'own' && statement.trust === 'external'
  if (!isExternal) old.isActive = false
  plan.operations.push({
    operation: 'supersede_claim_value',
    payload: { ...placeOf(step, old.slot), old_value: old.value },
    evidence: [toQuote(statement)],
    reason: 'The source says that this no longer holds.',
    confidence: statement.confidence,
    rule: statement.rule,
    fingerprint: step.fingerprint,
    reviewRequired: isExternal,
  })
}

function placeOf({ statement: { subject } }: Step, slot: Slot) {
  const id = subject.entityId === undefined ? {} : { entity_id: subject.entityId }
  const entity = { ...id, entity: subject.name, entity_type: subject.type }
  return { ...entity, aspect: slot.aspect, group_key: 'general', claim_key: slot.key }
}

function write(plan: Plan, step: Step, value: LedgerValue, reviewRequired = false): void {
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
function confidenceOf(
  { ledger, facts }: Plan,
  { statement, fingerprint }: Pick<Step, 'statement' | 'fingerprint'>,
): number {
  const sessions = new Set(ledger.sessionsOf(fingerprint))
  for (const fact of facts)
    if (fact.fingerprint === fingerprint && fact.session !== null) sessions.add(fact.session)
  const bonus = sessions.size > 1 ? sessionBonus : 0
  return Math.round((statement.confidence + bonus) * 100) / 100
}
