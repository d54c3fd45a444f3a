import type { Db } from '../../../kernel/db/database.ts'
import type { EvidenceEntry } from '../evidence/evidence.ts'
import type { Pass, StagedOperation } from '../pass.ts'
import type { Fact } from '../rules/statement.ts'
import {
  packEvidence,
  packFacts,
  packWindow,
  unpackEvidence,
  unpackFacts,
  unpackWindow,
} from './packed.ts'

export interface PassRow
  extends Omit<
    Pass,
    'trigger' | 'dryRun' | 'costKnown' | 'runbook' | 'window' | 'skipped' | 'nearDuplicates'
  > {
  readonly triggerKind: Pass['trigger']
  readonly dryRun: 0 | 1
  readonly costKnown: 0 | 1
  readonly runbook: string | null
  readonly evidenceWindow: string
  readonly skipped: string
  readonly nearDuplicates: string
}

export interface OperationRow
  extends Omit<StagedOperation, 'payload' | 'evidence' | 'beforeIds' | 'facts'> {
  readonly payload: string
  readonly evidence: string
  readonly beforeIds: string
  readonly facts: string
}

/** A source that an operation cites, so that it follows the source. */
interface CitationRow {
  readonly passId: string
  readonly position: number
  readonly sourceKind: string
  readonly sourceId: string
  readonly agentId: string
}

export interface ToolCallRow {
  readonly passId: string
  readonly sequence: number
  readonly agentId: string
  readonly toolCallId: string
  readonly toolName: string
  readonly input: string
  readonly output: string
  readonly success: 0 | 1
  readonly latencyMs: number
  readonly createdAt: string
}

export interface AttentionRow {
  readonly id: string
  readonly agentId: string
  readonly kind: string
  readonly subjectRef: string
  readonly details: string
  readonly priority: number
  readonly generation: number
  readonly state: 'pending' | 'resolved'
  readonly resolvedBy: string | null
  readonly resolvedAt: string | null
  readonly createdAt: string
}

export interface ExclusionRow {
  readonly agentId: string
  readonly sourceKind: string
  readonly sourceId: string
  readonly reason: string
  readonly passId: string | null
  readonly excludedAt: string
  readonly requeueRequestedAt: string | null
  readonly resolvedAt: string | null
}

export interface StateRow {
  readonly agentId: string
  readonly scheduleMode: string | null
  readonly rulesFailures: number
  readonly modelFailures: number
  readonly lastFailureAt: string | null
  readonly lastPassId: string | null
  readonly lastPassAt: string | null
  readonly lastPassMode: string | null
  readonly memoryCursor: number
  /** `<updated at> <session key>` */
  readonly transcriptCursor: string
  /** `<updated at> <path>` */
  readonly artifactCursor: string
  /** `<created at> <id>` */
  readonly summaryCursor: string
  readonly noProgressAt: string | null
  /** Model stages in a row from which nothing was applied. */
  readonly modelIdlePasses: number
}

export interface FactRow
  extends Pick<
    Fact,
    | 'fingerprint'
    | 'family'
    | 'subject'
    | 'slot'
    | 'value'
    | 'sourceKind'
    | 'sourceId'
    | 'session'
    | 'assertedAt'
  > {
  readonly agentId: string
  readonly quoteStart: number
  readonly quoteLength: number
  readonly ownWord: 0 | 1
  /** `lost`: its source is forgotten. */
  readonly state: 'live' | 'lost'
  readonly attributeId: string | null
  readonly passId: string | null
}

interface RefusalRow {
  readonly agentId: string
  readonly fingerprint: string
  readonly reason: 'rejected' | 'undone'
  readonly untilAfter: string
  readonly createdAt: string
}

export interface PageRow {
  readonly agentId: string
  readonly name: string
  readonly entityId: string
  readonly digest: string
  readonly claims: number
  readonly parts: string
  readonly updatedAt: string
}

type Tables = {
  dreamingState: StateRow
  dreamingPasses: PassRow
  dreamingOperations: OperationRow
  dreamingCitations: CitationRow
  dreamingToolCalls: ToolCallRow
  dreamingAttention: AttentionRow
  dreamingExclusions: ExclusionRow
  dreamingEvidence: EvidenceEntry & { readonly agentId: string }
  dreamingFacts: FactRow
  dreamingRefusals: RefusalRow
  dreamingPages: PageRow
}

export const tables = (db: Db) => db.withTables<Tables>()

export function toPass(row: PassRow): Pass {
  const { triggerKind, evidenceWindow, runbook, skipped, nearDuplicates, ...fields } = row
  return {
    ...fields,
    inputTokens: Number(fields.inputTokens),
    outputTokens: Number(fields.outputTokens),
    cacheReadTokens: Number(fields.cacheReadTokens),
    cacheCreationTokens: Number(fields.cacheCreationTokens),
    costMicros: Number(fields.costMicros),
    trigger: triggerKind,
    dryRun: fields.dryRun === 1,
    costKnown: fields.costKnown === 1,
    runbook: runbook === null ? null : JSON.parse(runbook),
    window: unpackWindow(evidenceWindow),
    skipped: JSON.parse(skipped),
    nearDuplicates: JSON.parse(nearDuplicates),
  }
}

export function toPassRow(pass: Pass): PassRow {
  const { trigger, window, runbook, skipped, nearDuplicates, ...fields } = pass
  return {
    ...fields,
    triggerKind: trigger,
    dryRun: pass.dryRun ? 1 : 0,
    costKnown: pass.costKnown ? 1 : 0,
    runbook: runbook && JSON.stringify(runbook),
    evidenceWindow: packWindow(window),
    skipped: JSON.stringify(skipped),
    nearDuplicates: JSON.stringify(nearDuplicates),
  }
}

export function toOperation(row: OperationRow): StagedOperation {
  const evidence = unpackEvidence(row.evidence)
  return {
    ...row,
    payload: JSON.parse(row.payload),
    evidence,
    beforeIds: JSON.parse(row.beforeIds),
    facts: unpackFacts(row.facts, { evidence, fingerprint: row.fingerprint }),
  }
}

export function toOperationRow(operation: StagedOperation): OperationRow {
  return {
    ...operation,
    payload: JSON.stringify(operation.payload),
    evidence: packEvidence(operation.evidence),
    beforeIds: JSON.stringify(operation.beforeIds),
    facts: packFacts(operation),
  }
}
