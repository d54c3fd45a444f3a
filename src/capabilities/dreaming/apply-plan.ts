import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { toCount } from '../../kernel/errors/to-count.ts'
import { applyStaged } from './apply-staged.ts'
import { enqueueAttention } from './enqueue-attention.ts'
import { type EvidenceEntry, toRef } from './evidence/evidence.ts'
import { toReadEntry } from './evidence/window.ts'
import { excludeSources } from './exclude-sources.ts'
import type { ModelResult } from './model/run-model.ts'
import type { DreamingNeeds } from './needs.ts'
import type { Disposition, Pass, StagedOperation } from './pass.ts'
import type { Plan } from './plan-pass.ts'
import { settleAttention } from './settle-attention.ts'
import {
  findAttentionOf,
  findExclusion,
  resolveAttention,
  updateExclusion,
} from './store/attention.ts'
import { postponeEntries, readState, saveEntries, saveState } from './store/evidence.ts'
import { type SavedFact, saveFacts } from './store/ledger.ts'
import { insertOperations } from './store/operations.ts'
import { packWindow } from './store/packed.ts'
import { updatePass, updateRunning } from './store/passes.ts'

/** Ends a pass: writes the graph, the ledger and the cursors in one transaction, or saves the plan. */
export async function applyPlan(needs: DreamingNeeds, pass: Pass, plan: Plan): Promise<void> {
  const { apply, enabled } = needs.config()
  if (!pass.dryRun && (needs.isFrozen() || !enabled))
    throw new Error('Dreaming was frozen or disabled during the pass.')
  const isReviewed = pass.dryRun || apply === 'review'
  const completedAt = needs.host.now().toISOString()
  await transaction(needs.db, async (db) => {
    const isOurs = await updateRunning(db, pass, { status: 'completed', completedAt })
    if (!isOurs) throw new Error('Another process ended the pass. Nothing was written.')
    const outcomes = isReviewed ? new Map() : await writeGraph(needs, db, { pass, plan })
    const operations = plan.operations.map((operation) => ({
      ...operation,
      ...outcomes.get(operation.position),
    }))
    await insertOperations(db, operations)
    // A plan that waits saves the facts that need no operation: their evidence is read now.
    if (!pass.dryRun) await saveFacts(db, pass.agentId, listFactsToSave(pass.id, plan, operations))
    if (!pass.dryRun) await saveProgress(needs, db, { pass, plan, operations, completedAt })
    await updatePass(db, pass.id, toEnded(plan, operations))
  })
}

interface Applying {
  readonly pass: Pass
  readonly plan: Plan
}

function writeGraph(needs: DreamingNeeds, db: Db, { pass, plan }: Applying) {
  const operations = plan.operations.filter(({ state }) => state === 'planned')
  return applyStaged(needs, db, { pass, operations })
}

/** Facts of operations that took effect, and those that needed none. */
function listFactsToSave(
  passId: string,
  plan: Plan,
  operations: readonly StagedOperation[],
): SavedFact[] {
  const byFingerprint = new Map(operations.map((operation) => [operation.fingerprint, operation]))
  const ofModel = operations.flatMap(({ origin, facts }) => (origin === 'model' ? facts : []))
  return [...plan.facts, ...ofModel].flatMap((fact) => {
    const operation = byFingerprint.get(fact.fingerprint)
    if (operation && !isEffective(operation)) return []
    return [{ fact, attributeId: operation?.attributeId ?? null, passId }]
  })
}

export function isEffective({ state }: Pick<StagedOperation, 'state'>): boolean {
  return state === 'applied' || state === 'no_change'
}

interface Ending extends Applying {
  readonly operations: readonly StagedOperation[]
  readonly completedAt: string
}

/** What has been read, the cursors and the attention that the pass found. */
async function saveProgress(
  needs: DreamingNeeds,
  db: Db,
  { pass, plan, operations, completedAt }: Ending,
): Promise<void> {
  const { agentId, id: passId, mode } = pass
  const changed = listProgress(plan, operations, passId)
  await saveEntries(db, agentId, [...changed.values()])
  await postponeEntries(db, agentId, plan.postponed)
  for (const item of plan.attention)
    await enqueueAttention({ ...needs, db }, { agentId, ...toAttention(item) })
  for (const item of plan.candidates) await enqueueAttention({ ...needs, db }, { ...item, agentId })
  await resolveRequeued(db, { pass, plan, operations, completedAt })
  const sources = listSources(plan).map(({ entry }) => entry)
  await excludeSources(db, { pass, operations, sources, completedAt })
  const { memoryCursor, cursors } = plan.scan
  await saveState(db, agentId, {
    memoryCursor,
    ...cursors,
    rulesFailures: 0,
    lastPassId: passId,
    lastPassAt: completedAt,
    lastPassMode: mode,
    ...(pass.trigger === 'schedule' && { scheduleMode: mode }),
    ...(plan.model &&
      (await toModelState(db, { pass, model: plan.model, operations, completedAt }))),
  })
  await settleAttention(needs, db, { agentId, passId, completedAt })
}

/** How far each stage has read the sources of the pass. */
function listProgress(
  { scan, window, model }: Plan,
  operations: readonly StagedOperation[],
  passId: string,
): ReadonlyMap<string, EvidenceEntry> {
  const cut = listCut(operations)
  const used = new Set(operations.flatMap(({ evidence }) => evidence.map(toRef)))
  const changed = new Map(scan.entries.map((entry) => [toRef(entry), entry]))
  for (const entry of [...window.absent, ...(model?.absent ?? [])])
    changed.set(toRef(entry), {
      ...entry,
      rulesChars: entry.chars,
      modelChars: entry.chars,
      disposition: 'deferred',
      passId,
    })
  const stages = [
    { stage: 'rulesChars', sources: window.sources },
    { stage: 'modelChars', sources: model?.read ?? [] },
  ] as const
  for (const { stage, sources } of stages)
    for (const source of sources) {
      const ref = toRef(source.entry)
      if (cut.has(ref)) continue
      const entry = changed.get(ref) ?? source.entry
      const reading = { stage, passId, isUsed: used.has(ref) }
      changed.set(ref, toReadEntry({ ...source, entry }, reading))
    }
  return changed
}

interface ModelEnding {
  readonly pass: Pass
  readonly model: ModelResult
  readonly operations: readonly StagedOperation[]
  readonly completedAt: string
}

/** The model has its own failures and its own idle stages. */
async function toModelState(db: Db, { pass, model, operations, completedAt }: ModelEnding) {
  const { modelFailures, modelIdlePasses } = await readState(db, pass.agentId)
  if (model.status === 'failed')
    return { modelFailures: modelFailures + 1, lastFailureAt: completedAt }
  const isUseful = operations.some(
    ({ origin, state }) =>
      origin === 'model' && (state === 'applied' || state === 'proposed' || state === 'planned'),
  )
  return { modelFailures: 0, modelIdlePasses: isUseful ? 0 : modelIdlePasses + 1 }
}

/** A requeued source that has been read is no longer left out. */
async function resolveRequeued(
  db: Db,
  { pass: { agentId, id }, plan, completedAt }: Ending,
): Promise<void> {
  for (const { entry } of listSources(plan)) {
    const { sourceKind, sourceId } = entry
    if (!(await findExclusion(db, { agentId, sourceKind, sourceId }))) continue
    await updateExclusion(db, { agentId, sourceKind, sourceId }, { resolvedAt: completedAt })
    const subjectRef = toRef(entry)
    const item = await findAttentionOf(db, { agentId, kind: 'evidence_requeue', subjectRef })
    const ended = { resolvedBy: id, resolvedAt: completedAt }
    if (item) await resolveAttention(db, { agentId, id: item.id }, ended)
  }
}

/** Sources of operations beyond the limit of a pass stay new. */
function listCut(operations: readonly StagedOperation[]): ReadonlySet<string> {
  const over = operations.filter(({ error }) => error?.startsWith('writes:'))
  return new Set(over.flatMap(({ evidence }) => evidence.map(toRef)))
}

function toAttention({ kind, subjectRef, details, priority }: Plan['attention'][number]) {
  const { subject, slot, current, stated, evidence } = details
  const quotes = evidence.map((item, at) => [`source${at + 1}`, toRef(item)] as const)
  const texts = { subject, slot, current, stated, ...Object.fromEntries(quotes.slice(0, 8)) }
  return { kind, subjectRef, priority, details: texts }
}

/** The counts, the window and the summary of a pass that is over. */
function toEnded(plan: Plan, operations: readonly StagedOperation[]) {
  const count = (...states: readonly string[]) =>
    operations.filter(({ state }) => states.includes(state)).length
  const appliedCount = count('applied', 'proposed')
  const skippedCount = count('no_change', 'refused')
  const failedCount = count('failed')
  const sources = listSources(plan)
  const sourceCount = sources.length
  const isCut = operations.some(({ error }) => error?.startsWith('writes:'))
  const window = {
    cursor: String(plan.scan.memoryCursor),
    sources: sources.map(({ entry: { sourceKind, sourceId, chars } }) => ({
      sourceKind,
      sourceId,
      chars,
    })),
  }
  return {
    disposition: toDisposition(operations),
    appliedCount,
    skippedCount,
    failedCount,
    sourceCount,
    stoppedBy: isCut ? 'writes' : (plan.model?.stoppedBy ?? null),
    modelStatus: plan.model?.status ?? null,
    modelError: plan.model?.error ?? null,
    summary: toSummary({ planned: count('planned'), appliedCount, failedCount, sourceCount }),
    evidenceWindow: packWindow(window),
    skipped: JSON.stringify(plan.skipped),
    nearDuplicates: JSON.stringify(plan.nearDuplicates.slice(0, 100)),
  }
}

/** Of both stages, each once. */
function listSources({ window, model }: Plan) {
  const all = [...window.sources, ...(model?.read ?? [])]
  return [...new Map(all.map((source) => [toRef(source.entry), source])).values()]
}

interface Counts {
  readonly planned: number
  readonly appliedCount: number
  readonly failedCount: number
  readonly sourceCount: number
}

function toSummary({ planned, appliedCount, failedCount, sourceCount }: Counts): string {
  if (sourceCount === 0 && planned + appliedCount === 0) return 'Nothing new to read.'
  const parts = [
    planned > 0 && `${toCount(planned, 'change')} planned`,
    appliedCount > 0 && `${toCount(appliedCount, 'change')} applied`,
    failedCount > 0 && `${toCount(failedCount, 'change')} failed`,
  ].filter((part) => part !== false)
  const changes = parts.length > 0 ? parts.join(', ') : 'nothing to change'
  return `${toCount(sourceCount, 'source')} read, ${changes}.`
}

/** What has been decided about the operations of a pass. */
export function toDisposition(operations: readonly Pick<StagedOperation, 'state'>[]): Disposition {
  const has = (...states: readonly string[]) =>
    operations.some(({ state }) => states.includes(state))
  const isPlanned = has('planned')
  if (has('undone')) return has('applied') ? 'partly_undone' : 'undone'
  if (has('applied', 'proposed')) return isPlanned ? 'partly_applied' : 'applied'
  if (isPlanned) return 'planned'
  return has('rejected') ? 'discarded' : 'none'
}
