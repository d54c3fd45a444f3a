import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { invalidRequest } from '../../kernel/errors/refusal.ts'
import type { Outcome } from './apply-batches.ts'
import { isEffective, toDisposition } from './apply-plan.ts'
import { applyStaged } from './apply-staged.ts'
import { findQuoteFault } from './check/grounding.ts'
import { toRef } from './evidence/evidence.ts'
import { type RenderedSource, readSources } from './evidence/source.ts'
import type { DreamingNeeds } from './needs.ts'
import { refreshPages } from './pages/refresh-pages.ts'
import { type Pass, planLifetimeMs, type StagedOperation } from './pass.ts'
import { dreamingRefusal, passNotFound } from './refusals.ts'
import { saveFacts, saveRefusals } from './store/ledger.ts'
import { listOperations, updateOutcomes } from './store/operations.ts'
import { lockPass, updatePass } from './store/passes.ts'

interface Decision {
  readonly passId: string
  /** Default: every operation that waits. */
  readonly only?: readonly number[] | undefined
}

/** Applies the operations of a plan that a person accepts. */
export async function applyPlanned(
  needs: DreamingNeeds,
  caller: Pick<Caller, 'agentId'>,
  decision: Decision,
) {
  const { operations, ...result } = await applyInTransaction(needs, caller, decision)
  await refreshPages(needs, result.pass, { operations, sources: [] })
  return result
}

function applyInTransaction(
  needs: DreamingNeeds,
  { agentId }: Pick<Caller, 'agentId'>,
  { passId, only }: Decision,
) {
  return transaction(needs.db, async (db) => {
    const { pass, operations, chosen } = await selectPlanned(db, { agentId, passId, only })
    const age = needs.host.now().getTime() - Date.parse(pass.startedAt)
    if (age > planLifetimeMs) throw dreamingRefusal('plan_expired')
    const outcomes = await applyChosen(needs, db, { pass, operations: chosen })
    const decided = operations.map((one) => ({ ...one, ...outcomes.get(one.position) }))
    await updateOutcomes(
      db,
      decided.filter(({ position }) => outcomes.has(position)),
    )
    await saveFacts(db, agentId, listNewFacts(decided, chosen))
    const { appliedCount, failedCount } = countEnded(decided)
    const disposition = toDisposition(decided)
    await updatePass(db, passId, { disposition, appliedCount, failedCount })
    const items = decided
      .filter(({ position }) => outcomes.has(position))
      .map(({ position, state, error, proposalId }) => ({ position, state, error, proposalId }))
    const changed = { ...pass, disposition, appliedCount, failedCount }
    return { pass: changed, items, operations: chosen }
  })
}

/** Each operation is checked again, because the graph and the evidence may have changed. */
async function applyChosen(
  needs: DreamingNeeds,
  db: Db,
  { pass, operations }: { readonly pass: Pass; readonly operations: readonly StagedOperation[] },
): Promise<ReadonlyMap<number, Outcome>> {
  const { agentId } = pass
  const refs = operations.flatMap(({ evidence }) => evidence)
  const sources = await readSources(needs, db, { agentId, refs })
  const beforeIds = operations.flatMap((operation) => operation.beforeIds)
  const claims = await needs.knowledge.ledger.listClaimsById(db, agentId, beforeIds)
  const active = new Set(claims.flatMap(({ id, status }) => (status === 'active' ? [id] : [])))
  const failures = new Map<number, Outcome>()
  for (const operation of operations) {
    const error = findFault(operation, sources, active)
    const none = { proposalId: null, batchId: null, attributeId: null }
    if (error !== undefined) failures.set(operation.position, { state: 'failed', error, ...none })
  }
  const sound = operations.filter(({ position }) => !failures.has(position))
  return new Map([...failures, ...(await applyStaged(needs, db, { pass, operations: sound }))])
}

function findFault(
  { evidence, beforeIds }: StagedOperation,
  sources: ReadonlyMap<string, RenderedSource>,
  activeIds: ReadonlySet<string>,
): string | undefined {
  for (const item of evidence) {
    const source = sources.get(toRef(item))
    if (!source || findQuoteFault(source.text, item.quote) !== undefined)
      return 'evidence_gone: The source of the operation is gone.'
  }
  return beforeIds.every((id) => activeIds.has(id))
    ? undefined
    : 'changed_since: The value was changed after the plan.'
}

function listNewFacts(decided: readonly StagedOperation[], chosen: readonly StagedOperation[]) {
  const positions = new Set(chosen.map(({ position }) => position))
  return decided
    .filter((operation) => positions.has(operation.position) && isEffective(operation))
    .flatMap(({ facts, attributeId, passId }) =>
      facts.map((fact) => ({ fact, attributeId, passId })),
    )
}

function countEnded(operations: readonly StagedOperation[]) {
  const count = (...states: readonly string[]) =>
    operations.filter(({ state }) => states.includes(state)).length
  return { appliedCount: count('applied', 'proposed'), failedCount: count('failed') }
}

/** Rejects operations of a plan. The same words do not bring them back. */
export function discardPlan(
  needs: DreamingNeeds,
  { agentId }: Pick<Caller, 'agentId'>,
  { passId, only }: Decision,
) {
  const now = needs.host.now().toISOString()
  return transaction(needs.db, async (db) => {
    const { pass, operations, chosen } = await selectPlanned(db, { agentId, passId, only })
    const positions = new Set(chosen.map(({ position }) => position))
    await updateOutcomes(
      db,
      chosen.map((one) => ({ ...one, state: 'rejected' })),
    )
    await saveRefusals(db, agentId, toRefusals(chosen, { reason: 'rejected', at: now }))
    const disposition = toDisposition(
      operations.map((one) => (positions.has(one.position) ? { ...one, state: 'rejected' } : one)),
    )
    await updatePass(db, passId, { disposition })
    return { pass: { ...pass, disposition }, rejected: [...positions] }
  })
}

interface Refused {
  readonly reason: 'rejected' | 'undone'
  readonly at: string
}

/** What a person removed does not come back from words of that time or earlier. */
export function toRefusals(operations: readonly StagedOperation[], { reason, at }: Refused) {
  const fingerprints = operations.flatMap(({ fingerprint }) => fingerprint ?? [])
  return [...new Set(fingerprints)].map((fingerprint) => ({
    fingerprint,
    reason,
    untilAfter: at,
    createdAt: at,
  }))
}

/** Operations of a pass that wait for a decision. */
async function selectPlanned(
  db: Db,
  { agentId, passId, only }: Decision & { readonly agentId: string },
) {
  const pass = await lockPass(db, agentId, passId)
  if (!pass) throw passNotFound()
  const operations = await listOperations(db, passId)
  assertPositions(operations, only)
  const chosen = operations.filter(
    ({ state, position }) => state === 'planned' && (only?.includes(position) ?? true),
  )
  if (pass.status !== 'completed' || chosen.length === 0) throw dreamingRefusal('not_planned')
  return { pass, operations, chosen }
}

export function assertPositions(
  operations: readonly StagedOperation[],
  only: readonly number[] | undefined,
): void {
  const known = new Set(operations.map(({ position }) => position))
  const unknown = only?.find((position) => !known.has(position))
  if (unknown !== undefined) throw invalidRequest(`only: the pass has no operation ${unknown}`)
}
