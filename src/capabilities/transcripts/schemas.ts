import { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import {
  flag,
  ignored,
  integer,
  list,
  required,
  requiredCleanText,
  text,
  toWireNames,
} from '../../kernel/http/wire-values.ts'
import type { Checkpoint } from './store/rows.ts'
import type { Summary } from './summary.ts'

const agent = { agentId: ignored, agent_id: ignored }
const string = z.string()
const count = z.int()
const nullable = string.nullable()
const nullableCount = count.nullable()
const invalidBody = 'invalid request body'

/** Harnesses write keys with and without the prefix `session:`. */
const sessionKey = text.transform((key) => key?.replace(/^session:/, '').trim() || undefined)

export const byJob = z.object({ jobId: string })
export const byKey = z.object({
  key: string.transform((key) => key.trim().replace(/^session:/, '')),
})
export const agentQuery = z.object(agent)

interface AgentRequest {
  readonly query: z.output<typeof agentQuery>
  readonly headers: Readonly<Record<string, unknown>>
}

/** The agent named by the request or the token; undefined for all agents. */
export function findNamedAgent(
  { agentId, scope }: Caller,
  { query, headers }: AgentRequest,
): string | undefined {
  const agents = [query.agentId, query.agent_id, headers['x-svc-agent-id'], scope.agent]
  return agents.some(Boolean) ? agentId : undefined
}

const projectRule = 'project query parameter required'
export const checkpointsQuery = z.object({
  ...agent,
  project: z.string(projectRule).trim().min(1, projectRule),
  limit: integer('limit', { min: 1, max: 100, default: 10 }),
})

export type Receipt = z.output<typeof receiptReply>
export const receiptReply = z.object({
  id: string,
  status: z.enum(['pending', 'processing', 'completed', 'failed', 'dead']),
  error: nullable,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  completedAt: z.iso.datetime().nullable(),
  attempts: count,
})

export const transcriptReply = z.object({ sessionKey: string, agentId: string, content: string })

export const checkpointsReply = z.object({
  checkpoints: z.array(
    z.object({
      id: string,
      session_key: string,
      harness: string,
      project: nullable,
      project_normalized: nullable,
      trigger: z.enum(['periodic', 'pre_compaction', 'session_end', 'agent', 'explicit']),
      digest: string,
      prompt_count: count,
      memory_queries: nullable,
      recent_remembers: nullable,
      focal_entity_ids: nullable,
      focal_entity_names: nullable,
      active_aspect_ids: nullable,
      surfaced_constraint_count: nullableCount,
      traversal_memory_count: nullableCount,
      created_at: z.iso.datetime(),
    }),
  ),
  count,
})

export function toCheckpointsReply(checkpoints: readonly Checkpoint[]) {
  const listed = checkpoints.map(({ agentId: _, triggerKind: trigger, ...checkpoint }) => ({
    ...toWireNames(checkpoint),
    trigger,
  }))
  return { checkpoints: listed, count: listed.length }
}

export type Diagnosis = z.output<typeof diagnosisReply>
export const diagnosisReply = z.object({
  ok: z.boolean(),
  agentId: nullable,
  capture: z.object({
    pending: count,
    processing: count,
    completed: count,
    failed: count,
    dead: count,
    oldestAgeSec: count,
  }),
  sessionStore: z.object({ rows: count, oldestUpdatedAt: nullable, newestUpdatedAt: nullable }),
  artifacts: z.object({
    manifests: count,
    transcriptArtifacts: count,
    summaryArtifacts: count,
    pendingSummaries: count,
    failedSummaries: count,
    missingTranscriptArtifacts: count,
    missingSummaryArtifacts: count,
  }),
  audit: z.object({
    latestLogs: count,
    finalLogs: count,
    newestAuditAt: nullable,
    omittedReason: string.optional(),
  }),
})

export const searchBody = z
  .object(
    {
      query: requiredCleanText('query'),
      sessionKey,
      session_key: sessionKey,
      currentSessionKey: sessionKey,
      current_session_key: sessionKey,
      excludedSessions: list,
      project: text,
      limit: integer('limit', { min: 1, max: 20, default: 10 }),
      ...agent,
    },
    invalidBody,
  )
  .transform(({ query, project, limit, ...body }) => ({
    query,
    project,
    limit,
    sessionKey: body.sessionKey ?? body.session_key,
    currentSessionKey: body.currentSessionKey ?? body.current_session_key,
    /** Sessions that may be the calling one. */
    excludedSessions: body.excludedSessions,
  }))

export type SessionHit = z.output<typeof searchReply>['hits'][number]
export const searchReply = z.object({
  query: string,
  hits: z.array(
    z.object({
      sessionKey: string,
      project: nullable,
      updatedAt: z.iso.datetime(),
      excerpt: string,
      /** 0 for a match by name. Full text: lower is better. Substrings: higher is better. */
      rank: z.number(),
    }),
  ),
  count,
})

const depthRule = 'depth must be a non-negative integer'

export const summariesQuery = z
  .object({
    ...agent,
    project: text,
    depth: z
      .string(depthRule)
      .trim()
      .regex(/^\d{1,9}$/, depthRule)
      .transform(Number)
      .optional(),
    session_key: sessionKey,
    sessionKey,
    limit: integer('limit', { min: 0, max: 200, default: 50 }),
    offset: integer('offset', { min: 0, max: 1_000_000_000, default: 0 }),
  })
  .transform(({ agentId: _, agent_id: __, session_key, ...query }) => ({
    ...query,
    sessionKey: query.sessionKey ?? session_key,
  }))

const kind = z.enum(['session', 'arc', 'epoch'])
const sourceType = z.enum([
  'transcript',
  'summary',
  'compaction',
  'chunk',
  'checkpoint',
  'condensation',
])

export const summariesReply = z.object({
  summaries: z.array(
    z.object({
      id: string,
      project: nullable,
      depth: count,
      kind,
      content: string,
      token_count: count,
      earliest_at: string,
      latest_at: string,
      session_key: nullable,
      harness: nullable,
      agent_id: string,
      source_type: sourceType,
      source_ref: nullable,
      meta_json: nullable,
      created_at: string,
      childCount: count,
    }),
  ),
  total: count,
})

export const expandBody = z.object(
  {
    id: required('id'),
    includeTranscript: flag.transform((value) => value ?? true),
    transcriptCharLimit: integer('transcriptCharLimit', { min: 200, max: 12_000, default: 2_000 }),
    ...agent,
  },
  invalidBody,
)

const node = z.object({
  id: string,
  kind,
  depth: count,
  sourceType,
  sourceRef: nullable,
  meta: z.unknown(),
  project: nullable,
  sessionKey: nullable,
  harness: nullable,
  agentId: string,
  content: string,
  tokenCount: count,
  earliestAt: string,
  latestAt: string,
  createdAt: string,
})

/** A summary in replies. */
export function toNode({ metaJson, ...summary }: Summary) {
  return { ...summary, meta: metaJson === null ? null : (JSON.parse(metaJson) as unknown) }
}

export const expandReply = z.object({
  node,
  parents: z.array(node),
  children: z.array(node),
  linkedMemories: z.array(
    z.object({
      id: string,
      content: string,
      type: string,
      createdAt: string,
      deleted: z.boolean(),
    }),
  ),
  transcript: z
    .object({
      sessionKey: string,
      harness: string,
      project: nullable,
      updatedAt: string,
      excerpt: string,
      content: string,
    })
    .nullable(),
})
