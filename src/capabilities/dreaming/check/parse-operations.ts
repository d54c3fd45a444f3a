import { invalidRequest, Refusal } from '../../../kernel/errors/refusal.ts'
import { redactContent } from '../../../kernel/redaction/redact-content.ts'
import { type OperationRequest, parseEvidenceRef } from '../../ontology/index.ts'
import type { SourceKind } from '../evidence/evidence.ts'
import type { DreamingNeeds } from '../needs.ts'
import type { CitedQuote } from '../pass.ts'
import {
  dreamOperationNames,
  hygieneOperations,
  queueOperations,
  toGraphPayload,
} from '../union.ts'

/** One item of a request, checked in its shape. */
export interface ParsedOperation {
  readonly index: number
  readonly operation: string
  /** As it was sent. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly evidence: readonly CitedQuote[]
  readonly reason: string
  readonly confidence: number | undefined
  readonly risk: string | null
  /** `attention:<id>`, or `attention:$<index>` of a flag of the same request. */
  readonly provenance: string | undefined
  /** Undefined for operations of the queue. */
  readonly request: OperationRequest | undefined
}

export const maxOperations = 100
const known: ReadonlySet<string> = new Set(dreamOperationNames)
const citationRule = 'Every operation must cite an exact quote from scoped episodic evidence'

/** Phase 1: the shape of every item. Names the index and the field. */
export function parseDreamOperations(
  { ontology, secretPolicy }: Pick<DreamingNeeds, 'ontology' | 'secretPolicy'>,
  input: unknown,
): readonly ParsedOperation[] {
  if (!Array.isArray(input) || input.length === 0) throw invalidRequest('operations are required')
  if (input.length > maxOperations)
    throw invalidRequest(`operations must have at most ${maxOperations} items`)
  const { value } = redactContent(input, secretPolicy())
  return value.map((item, index) => {
    try {
      return parseOne(ontology, item, index)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      throw invalidRequest(`operations[${index}]: ${error.message}`, { index })
    }
  })
}

type Parser = Pick<DreamingNeeds['ontology'], 'parseOperation'>

function parseOne(ontology: Parser, item: unknown, index: number): ParsedOperation {
  const sent: Readonly<Record<string, unknown>> = Object(item)
  const { operation, payload } = sent
  if (typeof operation !== 'string' || !known.has(operation))
    throw invalidRequest('operation is unknown')
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    throw invalidRequest('payload is required')
  const fields = payload as Readonly<Record<string, unknown>>
  const confidence = parseConfidence(sent['confidence'])
  const evidence = parseEvidence(sent['evidence'])
  const reason = toText(sent['reason']) ?? ''
  const provenance = toText(sent['provenance'])
  const isQueue = queueOperations.has(operation)
  if (isQueue) assertQueuePayload(operation, fields)
  const isHygiene = hygieneOperations.has(operation)
  if (!isQueue && !isHygiene && evidence.length === 0) throw invalidRequest(citationRule)
  if (isHygiene && evidence.length === 0 && provenance === undefined)
    throw invalidRequest(
      `Hygiene archives require attention provenance (attention:$${index} or attention:<uuid>)`,
    )
  const base = { index, operation, payload: fields, evidence, reason, confidence, provenance }
  const risk = toText(sent['risk']) ?? null
  const request = isQueue
    ? undefined
    : ontology.parseOperation({
        operation,
        payload: toGraphPayload({ operation, payload: fields }),
        evidence: evidence.map(({ sourceKind, sourceId, quote }) => ({
          source_kind: sourceKind,
          source_id: sourceId,
          quote,
        })),
        confidence,
        rationale: reason,
        risk,
      })
  return { ...base, risk, request }
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function parseConfidence(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !(value >= 0 && value <= 1))
    throw invalidRequest('confidence must be from 0 to 1')
  return value
}

/** Each item needs a source and a quote. */
function parseEvidence(input: unknown): CitedQuote[] {
  if (input === undefined || input === null) return []
  if (!Array.isArray(input)) throw invalidRequest('evidence must be an array')
  return input.map((item, at) => {
    const { ref, quote } = parseEvidenceRef(item)
    if (!ref) throw invalidRequest(`evidence[${at}] names no source`)
    if (quote === undefined) throw invalidRequest(`evidence[${at}].quote is required`)
    return { sourceKind: ref.kind as SourceKind, sourceId: ref.id, quote }
  })
}

const subjectRef = /^(?:entity|aspect|attribute|link|duplicate):\S/
const maxSubjectLength = 512

function assertQueuePayload(
  operation: string,
  { subjectRef: subject, priority, attentionId }: Readonly<Record<string, unknown>>,
): void {
  if (operation === 'decline_attention') {
    if (toText(attentionId) === undefined) throw invalidRequest('attentionId is required')
    return
  }
  const text = toText(subject)
  if (text === undefined || text.length > maxSubjectLength || !subjectRef.test(text))
    throw invalidRequest(
      'subjectRef must begin with entity:, aspect:, attribute:, link: or duplicate:',
    )
  if (!(Number.isInteger(priority) && Number(priority) >= 0 && Number(priority) <= 100))
    throw invalidRequest('priority must be from 0 to 100')
}
