import { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { ignored, integer } from '../../kernel/http/wire-values.ts'
import type { Diagnosis } from './diagnose.ts'
import type { Checkpoint } from './store/rows.ts'

const agent = { agentId: ignored, agent_id: ignored }
const nullable = z.string().nullable()
const nullableCount = z.int().nullable()

/** Removes the optional prefix `session:`. */
const sessionKey = z.string().transform((written) => written.trim().replace(/^session:/, ''))

export const byJob = z.object({ jobId: z.string() })
export const byKey = z.object({ key: sessionKey })
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

export const receiptReply = z.object({
  id: z.string(),
  status: z.enum(['pending', 'processing', 'completed', 'failed', 'dead']),
  error: nullable,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  completedAt: z.iso.datetime().nullable(),
  attempts: z.int(),
})

export const transcriptReply = z.object({
  sessionKey: z.string(),
  agentId: z.string(),
  content: z.string(),
})

export const checkpointsReply = z.object({
  checkpoints: z.array(
    z.object({
      ...{ id: z.string(), session_key: z.string(), harness: z.string() },
      ...{ project: nullable, project_normalized: nullable },
      trigger: z.enum(['periodic', 'pre_compaction', 'session_end', 'agent', 'explicit']),
      ...{ digest: z.string(), prompt_count: z.int() },
      ...{ memory_queries: nullable, recent_remembers: nullable },
      ...{ focal_entity_ids: nullable, focal_entity_names: nullable, active_aspect_ids: nullable },
      ...{ surfaced_constraint_count: nullableCount, traversal_memory_count: nullableCount },
      created_at: z.iso.datetime(),
    }),
  ),
  count: z.int(),
})

const count = z.int()
export const diagnosisReply = z.object({
  ok: z.boolean(),
  agentId: nullable,
  capture: z.object({
    ...{ pending: count, processing: count, completed: count, failed: count, dead: count },
    oldestAgeSec: count,
  }),
  sessionStore: z.object({ rows: count, oldestUpdatedAt: nullable, newestUpdatedAt: nullable }),
  artifacts: z.object({
    ...{ manifests: count, transcriptArtifacts: count, summaryArtifacts: count },
    ...{ pendingSummaries: count, failedSummaries: count },
    ...{ missingTranscriptArtifacts: count, missingSummaryArtifacts: count },
  }),
  audit: z.object({
    ...{ latestLogs: count, finalLogs: count, newestAuditAt: nullable },
    omittedReason: z.string().optional(),
  }),
})

/** No job writes summaries, so none is pending or missing. */
const noSummaries = { pendingSummaries: 0, failedSummaries: 0, missingSummaryArtifacts: 0 }

export function toDiagnosisReply(diagnosis: Diagnosis): z.input<typeof diagnosisReply> {
  return { ...diagnosis, artifacts: { ...diagnosis.artifacts, ...noSummaries } }
}

export function toCheckpointsReply(checkpoints: readonly Checkpoint[]) {
  return { checkpoints: checkpoints.map(toWireCheckpoint), count: checkpoints.length }
}

function toWireCheckpoint(checkpoint: Checkpoint) {
  const { id, harness, project, digest } = checkpoint
  return {
    ...{ id, harness, project, digest },
    session_key: checkpoint.sessionKey,
    project_normalized: checkpoint.projectNormalized,
    trigger: checkpoint.triggerKind,
    prompt_count: checkpoint.promptCount,
    memory_queries: checkpoint.memoryQueries,
    recent_remembers: checkpoint.recentRemembers,
    focal_entity_ids: checkpoint.focalEntityIds,
    focal_entity_names: checkpoint.focalEntityNames,
    active_aspect_ids: checkpoint.activeAspectIds,
    surfaced_constraint_count: checkpoint.surfacedConstraintCount,
    traversal_memory_count: checkpoint.traversalMemoryCount,
    created_at: checkpoint.createdAt,
  }
}
