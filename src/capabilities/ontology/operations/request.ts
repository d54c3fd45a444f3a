import type { Refusal, RefusalKind } from '../../../kernel/errors/refusal.ts'
import { invalidRequest } from '../../../kernel/errors/refusal.ts'
import { isMapping } from '../../../kernel/files/read-text.ts'
import { type Change, type KnownRows, toCanonicalName } from '../../knowledge/index.ts'
import type { EvidenceItem } from '../evidence/evidence.ts'
import type { EvidenceReader } from '../evidence/read-evidence.ts'
import type { JsonObject, Origin, Proposal } from '../proposal.ts'
import { operationRule, proposableOperations } from './catalogue.ts'
import { readFields } from './fields.ts'
import { selfMergeRule } from './operation.ts'

/** One change of the graph. */
export interface OperationRequest {
  readonly operation: string
  readonly payload: JsonObject
  readonly evidence: readonly EvidenceItem[]
  readonly confidence: number | undefined
  readonly rationale: string
  readonly risk: string | null
  readonly source: Origin
}

export interface Actor {
  readonly name: string
  readonly type: string
}

export interface OperationBatch {
  readonly agentId: string
  readonly actor: Actor
  readonly origin: {
    readonly kind: 'proposal' | 'operations' | 'dreaming' | 'import'
    /** The pass. */
    readonly id: string | null
  }
  /** `all`: one failure undoes everything. `each`: a failure undoes its own operation. */
  readonly mode: 'all' | 'each'
  /** Everything is done and rolled back. */
  readonly dryRun: boolean
  /**
   * `exact-quote`: each operation quotes a source. `resolvable`: each new word has a source.
   * `matching`: a source is optional. `optional`: a quote that its source lacks is left out.
   */
  readonly citations: 'exact-quote' | 'resolvable' | 'matching' | 'optional'
  /** From 1 to 100. */
  readonly operations: readonly OperationRequest[]
}

export interface InternalBatch extends OperationBatch {
  /** The pending rows that the operations come from, already claimed by this transaction. */
  readonly proposals?: readonly Proposal[]
}

/** One operation of a batch. */
export interface Position {
  readonly batch: InternalBatch
  readonly batchId: string
  readonly index: number
  readonly read: EvidenceReader
  readonly known: KnownRows
  /** Statements of the batch that are not awaited yet. */
  readonly pendingStatements: Promise<unknown>[]
}

export interface ItemResult {
  readonly index: number
  readonly ok: boolean
  readonly status: 'applied' | 'no_change' | 'failed'
  readonly proposalId: string | null
  readonly result: JsonObject | null
  readonly error?: ItemError
  readonly changes: readonly Change[]
}

interface ItemError {
  readonly kind: RefusalKind
  readonly code: string
  readonly message: string
}

export interface BatchResult {
  readonly ok: boolean
  readonly batchId: string | null
  readonly items: readonly ItemResult[]
}

export const maxOperations = 100
const maxPayloadLength = 65_536
const maxEvidence = 50
const maxQuoteLength = 2_000

/** Checks everything but the meaning of the payload, which its operation checks. */
export function parseOperation(input: unknown): OperationRequest {
  const item = toObject(input)
  const fields = readFields(item)
  const operation = fields.text('operation')
  if (operation === undefined || !proposableOperations.includes(operation))
    throw invalidRequest(operationRule)
  const payload = parsePayload(item['payload'])
  if (operation === 'merge_entities') assertOtherSources(payload)
  return {
    operation,
    payload,
    evidence: parseEvidence(item['evidence']),
    confidence: fields.share('confidence'),
    rationale: fields.text('rationale') ?? '',
    risk: fields.text('risk') ?? null,
    source: {
      sourceKind: fields.text('source_kind') ?? null,
      sourceId: fields.text('source_id') ?? null,
      sourcePath: fields.text('source_path') ?? null,
      sourceRoot: fields.text('source_root') ?? null,
    },
  }
}

function toObject(input: unknown): JsonObject {
  return isMapping(input) ? { ...input } : {}
}

function parsePayload(input: unknown): JsonObject {
  const payload = toObject(input)
  if (Object.keys(payload).length === 0) throw invalidRequest('payload is required')
  const json = JSON.stringify(payload)
  if (Buffer.byteLength(json) > maxPayloadLength)
    throw invalidRequest('payload must have at most 64 KiB')
  assertStorable(json, 'payload')
  return JSON.parse(json.toWellFormed())
}

/** Refuses a merge of an entity with itself, which no review could apply. */
function assertOtherSources(payload: JsonObject): void {
  const fields = readFields(payload)
  const [id, name] = [fields.text('target_id'), fields.text('target')]
  const isNamed =
    id === undefined &&
    name !== undefined &&
    fields.list('sources').map(toCanonicalName).includes(toCanonicalName(name))
  if (isNamed || (id !== undefined && fields.list('source_ids').includes(id)))
    throw invalidRequest(selfMergeRule)
}

/** PostgreSQL rejects NUL in text. */
function assertStorable(json: string, field: string): void {
  if (json.includes('\\u0000')) throw invalidRequest(`${field} must not contain NUL`)
}

export function parseEvidence(input: unknown): readonly EvidenceItem[] {
  if (input === undefined || input === null) return []
  if (!Array.isArray(input)) throw invalidRequest('evidence must be an array')
  if (input.length > maxEvidence)
    throw invalidRequest(`evidence must have at most ${maxEvidence} items`)
  const items = input.filter(
    (item) => (typeof item === 'string' && item.trim() !== '') || isMapping(item),
  )
  const json = JSON.stringify(items)
  assertStorable(json, 'evidence')
  const evidence: EvidenceItem[] = JSON.parse(json.toWellFormed())
  for (const item of evidence) assertQuote(typeof item === 'string' ? item : item['quote'])
  return evidence
}

function assertQuote(quote: unknown): void {
  if (typeof quote === 'string' && quote.length > maxQuoteLength)
    throw invalidRequest(`a quote must have at most ${maxQuoteLength} characters`)
}

export function toItemError(refusal: Refusal): ItemError {
  const { kind, code, message } = refusal
  return { kind, code, message }
}

/** Actors that act without a person. */
export function isAutomated({ type }: Actor): boolean {
  return type === 'agent' || type === 'pipeline'
}
