import { fingerprintOf, toPlainValue } from '../fact.ts'
import { identityOf, toEndFact, toFact, toLedgerValue } from './identity.ts'
import { hasRead, interpretReport } from './interpret-report.ts'
import { isKnownKey } from './language.ts'
import { createLedger, type LedgerValue, slotKey, toQuote } from './ledger.ts'
import { listOpen, mayMatter, toOpenFact } from './open.ts'
import { confidenceOf, isMany, type Plan, placeOf, type Step, write } from './plan.ts'
import { compareStatements } from './read-statements.ts'
import { type Resolved, resolve } from './resolve.ts'
import { isAlias } from './slots.ts'
import type {
  CurrentClaim,
  Fact,
  PlannedAttention,
  PlannedOperation,
  RefusedFingerprint,
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

const maxCitations = 5
const staleMs = 90 * 24 * 3_600_000
const attentionPriority = 70

/** Plans the operations that make the graph true to the statements. */
export function decideOperations(request: DecideRequest): Decision {
  const { statements, facts, claims, refusals } = request
  const reread = new Set(statements.map(({ sourceId }) => sourceId))
  const open = new Set(listOpen(facts).filter(({ sourceId }) => reread.has(sourceId)))
  const ledger = createLedger(claims, facts, open)
  const plan: Plan = { ledger, operations: [], attention: [], facts: [], last: new Map() }
  const refused = new Map(refusals.map(({ fingerprint, untilAfter }) => [fingerprint, untilAfter]))
  for (const candidate of [...statements].toSorted(compareStatements))
    read(plan, candidate, refused)
  const { operations, attention } = plan
  return { operations, attention, facts: plan.facts }
}

function read(plan: Plan, candidate: Statement, refused: ReadonlyMap<string, string>): void {
  const { ledger, facts } = plan
  if (candidate.report && hasRead(ledger, candidate)) return
  const statements = interpretReport(ledger, candidate)
  for (const statement of statements) record(plan, statement, refused)
  if (statements.length === 0 && mayMatter(candidate)) facts.push(toOpenFact(candidate))
}

function record(plan: Plan, statement: Statement, refused: ReadonlyMap<string, string>): void {
  const { ledger, facts } = plan
  const resolved = resolve(ledger, statement)
  const slot = isProvisional(statement, resolved) ? undefined : resolved?.slot
  const fingerprint = fingerprintOf(identityOf(statement, slot))
  const refusedUntil = refused.get(fingerprint)
  const isRefused = refusedUntil !== undefined && statement.assertedAt <= refusedUntil
  if (isRefused || ledger.hasFact(fingerprint, statement.sourceId)) return
  facts.push(toFact(statement, fingerprint, slot))
  if (statement.from !== undefined) facts.push(toEndFact(statement, statement.from))
  if (resolved) decide(plan, { ...resolved, statement, fingerprint })
}

/** It ends nothing, or its slot is a guess: the value before it may come later. */
function isProvisional({ change, fallback }: Statement, resolved: Resolved | undefined): boolean {
  if (!resolved || resolved.old) return false
  const isGuess = fallback !== undefined && slotKey(fallback) === slotKey(resolved.slot)
  return change === 'end' || (change === 'from-to' && isGuess)
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
  endGuess(plan, step)
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
    if (old.isActive && (isReplaced(old, step) || isLeftOver(plan, old, step)))
      end(plan, { ...step, old })
}

/** `I code in Nova`, `my editor is Nova`, then another editor: both say the same. */
function isLeftOver({ ledger }: Plan, { plain, slot }: LedgerValue, step: Step): boolean {
  const { statement, slot: changed } = step
  if (slot.key !== 'uses' || changed.key === 'uses') return false
  return ledger
    .listSlot(statement.subject.name, changed)
    .some((one) => !one.isActive && one.plain === plain)
}

/** The slot of a change is known now: what its sentence alone has put into another one is over. */
function endGuess(plan: Plan, step: Step): void {
  const { statement, slot } = step
  for (const old of plan.ledger.listSubject(statement.subject.name)) {
    const isSame = old.isActive && old.isGuess && old.plain === toPlainValue(statement.value)
    if (isSame && slotKey(old.slot) !== slotKey(slot)) end(plan, { ...step, old })
  }
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
  if (!isLate && isEnded(plan, step)) return
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
