import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { Host } from '../../kernel/host/host.ts'
import {
  defaultImportance,
  hashContent,
  inferType,
  type Memory,
  maxImportance,
  parsePrefixes,
} from './memory.ts'
import type { RememberRequest } from './remember-request.ts'

/** Characters of a trimmed hint. */
const minHintLength = 5
const maxHintLength = 300
/** Each hint is a row, so one request stores at most this many. */
const maxHints = 100

export function newMemory(host: Host, caller: Caller, request: RememberRequest): Memory {
  const { content, critical, tags } = parsePrefixes(request.content)
  if (content === '') throw new Refusal('invalid', 'invalid_request', 'content is required')
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
