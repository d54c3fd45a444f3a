import type { Db } from '../../kernel/db/database.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import { restoreTexts } from './model/trace.ts'
import type { DreamingNeeds } from './needs.ts'
import type { Pass, StagedOperation } from './pass.ts'
import { passNotFound } from './refusals.ts'
import { listOperations, listToolCalls } from './store/operations.ts'
import { findPass, type ListedPass, listPasses, type PassPage } from './store/passes.ts'
import type { UndoResult } from './undo-pass.ts'

/** A pass as status and lists show it. */
export function toPassItem(pass: ListedPass) {
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens } = pass
  const { costMicros, costKnown } = pass
  const { appliedCount, skippedCount, failedCount } = pass
  return {
    id: pass.id,
    agentId: pass.agentId,
    mode: pass.mode,
    engine: pass.engine,
    trigger: pass.trigger,
    dryRun: pass.dryRun,
    status: pass.status,
    disposition: pass.disposition,
    startedAt: pass.startedAt,
    completedAt: pass.completedAt,
    tokensConsumed: inputTokens + outputTokens + cacheReadTokens + cacheCreationTokens,
    tokensInput: inputTokens,
    tokensOutput: outputTokens,
    cost: costKnown ? costMicros / 1_000_000 : null,
    sources: pass.sourceCount,
    mutationsApplied: appliedCount,
    mutationsSkipped: skippedCount,
    mutationsFailed: failedCount,
    stoppedBy: pass.stoppedBy,
    modelStatus: pass.modelStatus,
    modelError: pass.modelError,
    summary: pass.summary,
    error: pass.error,
  }
}

/** `kept` is the name of the contract. */
export function toUndoneReply(
  { pass, undone, remaining }: UndoResult,
  { dryRun }: { readonly dryRun: boolean },
) {
  return { pass: toPassItem(pass), undone, kept: remaining, dryRun }
}

export async function readPasses({ db }: DreamingNeeds, agentId: string, page: PassPage) {
  const passes = await listPasses(db, agentId, { ...page, limit: page.limit + 1 })
  const items = passes.slice(0, page.limit).map(toPassItem)
  const next = passes.length > page.limit ? (items.at(-1)?.id ?? null) : null
  return { items, next }
}

export async function readPass(db: Db, agentId: string, passId: string): Promise<Pass> {
  const pass = await findPass(db, agentId, passId)
  if (!pass) throw passNotFound()
  return pass
}

/** A pass with its plan and the values before and after, for the diff. */
export async function describePass(needs: DreamingNeeds, agentId: string, passId: string) {
  const pass = await readPass(needs.db, agentId, passId)
  const operations = await listOperations(needs.db, passId)
  const ids = operations.flatMap(({ beforeIds }) => beforeIds)
  const claims = await needs.knowledge.ledger.listClaimsById(needs.db, agentId, ids)
  const contents = new Map(claims.map(({ id, content }) => [id, content]))
  return {
    pass: toPassItem(pass),
    operations: operations.map((operation) => toOperationItem(operation, contents)),
    nearDuplicates: pass.nearDuplicates,
    skipped: pass.skipped,
    window: pass.window,
    runbook: pass.runbook,
  }
}

function toOperationItem(operation: StagedOperation, contents: ReadonlyMap<string, string>) {
  const { payload, beforeIds } = operation
  const replaced = beforeIds.flatMap((id) => contents.get(id) ?? [])
  // An operation may end a value that the same pass adds.
  const before = replaced.length === 0 ? (payload['old_value'] ?? null) : replaced.join(', ')
  const after = payload['value'] ?? payload['new_value'] ?? null
  return {
    position: operation.position,
    origin: operation.origin,
    rule: operation.rule,
    operation: operation.operation,
    payload,
    subject: operation.subject,
    slot: toSlot(payload),
    before: typeof before === 'string' ? before : null,
    after: typeof after === 'string' ? after : null,
    evidence: operation.evidence,
    confidence: operation.confidence,
    reason: withoutRule(operation.reason),
    risk: operation.risk,
    state: operation.state,
    error: operation.error,
    proposalId: operation.proposalId,
  }
}

/** Passes of earlier versions have the name of a rule in their reasons. */
function withoutRule(reason: string): string {
  return reason.replace(/ \([a-z]{2}\.\w+\)(?=\.?$)/, '')
}

function toSlot(payload: StagedOperation['payload']): string | null {
  const parts = [payload['aspect'], payload['claim_key'] ?? payload['claim']]
  const named = parts.filter((part) => typeof part === 'string')
  return named.length === 0 ? null : named.join(' · ')
}

const maxJsonLength = 128_000
const previewLength = 2_000

/** The calls of the tools of a pass, in their order. */
export async function readTrace(needs: DreamingNeeds, agentId: string, passId: string) {
  const { db } = needs
  await readPass(db, agentId, passId)
  const rows = await listToolCalls(db, passId)
  const restore = (json: string) => restoreTexts(needs, agentId, cutJson(json))
  const items = await Promise.all(
    rows.map(async ({ sequence, agentId: _, success, input, output, ...row }) => ({
      id: `${passId}:${sequence}`,
      sequence,
      ...row,
      input: await restore(input),
      output: await restore(output),
      success: success === 1,
    })),
  )
  return { agentId, passId, items }
}

function cutJson(json: string): unknown {
  if (json.length <= maxJsonLength) return JSON.parse(json)
  const preview = sliceText(json, 0, previewLength)
  return { truncated: true, originalChars: json.length, preview }
}
