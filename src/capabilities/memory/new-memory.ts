import { hash } from 'node:crypto'
import type { Caller } from '../../kernel/auth/caller.ts'
import { invalidRequest } from '../../kernel/errors/refusal.ts'
import type { Host } from '../../kernel/host/host.ts'
import { inferType } from './infer-type.ts'
import {
  defaultImportance,
  hashContent,
  type Memory,
  maxImportance,
  parsePrefixes,
} from './memory.ts'

/** Characters of a trimmed hint. */
const minHintLength = 5
const maxHintLength = 300
/** Each hint is a row, so one request stores at most this many. */
const maxHints = 100

export function newMemory(host: Host, caller: Caller, request: RememberRequest): Memory {
  const { content, critical, tags } = parsePrefixes(request.content)
  if (content === '') throw invalidRequest('content is required')
  const { importance = critical ? maxImportance : defaultImportance } = request
  const { visibility = 'global', type = inferType(content), pinned = critical } = request
  const now = host.now().toISOString()
  return {
    id: host.newId(),
    agentId: caller.agentId,
    visibility,
    scope: request.scope ?? null,
    project: request.project ?? caller.scope.project ?? null,
    sessionId: request.sessionId ?? caller.sessionKey,
    content,
    contentHash: hashContent(content),
    type,
    importance: Math.min(1, Math.max(0, importance)),
    pinned,
    tags: request.tags ?? tags,
    who: request.who ?? 'daemon',
    ...sourceOf(request),
    evidence: request.evidence ?? null,
    createdAt: request.createdAt ?? now,
    updatedAt: now,
    updatedBy: caller.name,
    reviewAfter: request.reviewAfter ?? null,
    ...initialFields,
  }
}

/** Trims hints, drops too short and too long ones, and removes duplicates. */
export function readHints(input: readonly string[] = []): string[] {
  const hints = input
    .map((hint) => hint.trim())
    .filter(({ length }) => length >= minHintLength && length <= maxHintLength)
  return [...new Set(hints)].slice(0, maxHints)
}

const initialFields = {
  memoryKind: 'episodic',
  confidence: null,
  extractionStatus: 'none',
  version: 1,
  deletedAt: null,
  supersededBy: null,
  supersededAt: null,
  supersededReason: null,
} as const

function sourceOf({ sourceType = 'manual', ...request }: RememberRequest) {
  return {
    sourceType,
    sourceId: request.sourceId ?? null,
    sourcePart: request.sourcePart ?? null,
    sourcePath: request.sourcePath ?? null,
    runtimePath: request.runtimePath ?? null,
    idempotencyKey: request.idempotencyKey ?? null,
  }
}

/** Absent fields are inferred or take their defaults. */
export interface RememberRequest {
  readonly content: string
  readonly who?: string | undefined
  readonly project?: string | undefined
  readonly type?: string | undefined
  /** Clamped to 0..1. */
  readonly importance?: number | undefined
  readonly tags?: readonly string[] | undefined
  readonly pinned?: boolean | undefined
  readonly sourceType?: string | undefined
  readonly sourceId?: string | undefined
  /** Part of the source. Without it, a source is one memory. */
  readonly sourcePart?: string | undefined
  readonly sourcePath?: string | undefined
  readonly runtimePath?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly createdAt?: string | undefined
  readonly reviewAfter?: string | undefined
  readonly spans?: readonly FacetSpan[] | undefined
  /** The id of the memory to supersede. */
  readonly supersedes?: string | undefined
  readonly reason?: string | undefined
  readonly sessionId?: string | undefined
  readonly visibility?: 'global' | 'private' | undefined
  readonly scope?: string | undefined
  readonly hints?: readonly string[] | undefined
  readonly evidence?: Memory['evidence'] | undefined
  readonly structured?: boolean | undefined
  /** Memories that the content was derived from. It is forgotten with each of them. */
  readonly derivedFrom?: readonly string[] | undefined
  /** The conversation of the memory, stored under its source id, else its session id. */
  readonly transcript?: string | undefined
}

/** A time span of a subject in one facet. A null end is a moment or open. */
export interface FacetSpan {
  readonly facet: 'source' | 'observed' | 'occurred' | 'valid' | 'captured'
  /** Null when only the end is known; the span then starts with its subject. */
  readonly startAt: string | null
  readonly endAt: string | null
}

/** Stored facets are strings: other subjects may have their own facets. */
export interface TemporalEdge extends Omit<FacetSpan, 'facet' | 'startAt'> {
  readonly id: string
  readonly facet: string
  readonly startAt: string
  readonly agentId: string
  readonly subjectType: string
  readonly subjectId: string
  readonly confidence: number
  readonly createdAt: string
}

/** The id is a hash, so a repeated span is the same edge. */
export function newTemporalEdge(
  { id: subjectId, agentId, createdAt: since }: Pick<Memory, 'id' | 'agentId' | 'createdAt'>,
  span: FacetSpan,
  now: string,
): TemporalEdge {
  const subjectType = 'memory'
  const startAt = span.startAt ?? earlierOf(since, span.endAt)
  const identity = [agentId, subjectType, subjectId, span.facet, startAt]
  const id = hash('sha256', identity.join('\0')).slice(0, 32)
  return { ...span, startAt, id, agentId, subjectType, subjectId, confidence: 1, createdAt: now }
}

function earlierOf(since: string, end: string | null): string {
  return end !== null && end < since ? end : since
}
