import { z } from 'zod'
import {
  flag,
  ignored,
  integer,
  required,
  requiredCleanText,
  text,
} from '../../kernel/http/wire-values.ts'
import type { Replay, SessionActivity } from './replay.ts'
import type { SessionHit } from './search.ts'
import type { ExpandedSummary, ListedSummary } from './summaries.ts'
import type { Summary } from './summary.ts'

const agent = { agentId: ignored, agent_id: ignored }
const nullable = z.string().nullable()

export const searchBody = z
  .object(
    {
      query: requiredCleanText('query'),
      ...{ sessionKey: text, session_key: text },
      ...{ currentSessionKey: text, current_session_key: text },
      project: text,
      limit: integer('limit', { min: 1, max: 20, default: 10 }),
      ...agent,
    },
    'invalid request body',
  )
  .transform(({ query, project, limit, ...body }) => ({
    ...{ query, project, limit },
    sessionKey: removePrefix(body.sessionKey ?? body.session_key),
    currentSessionKey: removePrefix(body.currentSessionKey ?? body.current_session_key),
  }))

export const searchReply = z.object({
  query: z.string(),
  hits: z.array(
    z.object({
      sessionKey: z.string(),
      project: nullable,
      updatedAt: z.iso.datetime(),
      excerpt: z.string(),
      rank: z.number(),
    }),
  ),
  count: z.int(),
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
    ...{ session_key: text, sessionKey: text },
    limit: integer('limit', { min: 0, max: 200, default: 50 }),
    offset: integer('offset', { min: 0, max: 1_000_000_000, default: 0 }),
  })
  .transform(({ project, depth, limit, offset, ...query }) => ({
    ...{ project, depth, limit, offset },
    sessionKey: removePrefix(query.sessionKey ?? query.session_key),
  }))

const kind = z.enum(['session', 'arc', 'epoch'])
const sourceType = z.enum([
  ...(['transcript', 'summary', 'compaction', 'chunk', 'checkpoint', 'condensation'] as const),
])

export const summariesReply = z.object({
  summaries: z.array(
    z.object({
      ...{ id: z.string(), project: nullable, depth: z.int(), kind, content: z.string() },
      ...{ token_count: z.int(), earliest_at: z.string(), latest_at: z.string() },
      ...{ session_key: nullable, harness: nullable, agent_id: z.string() },
      ...{ source_type: sourceType, source_ref: nullable, meta_json: nullable },
      ...{ created_at: z.string(), childCount: z.int() },
    }),
  ),
  total: z.int(),
})

export const expandBody = z.object(
  {
    id: required('id'),
    includeTranscript: flag.transform((given) => given ?? true),
    transcriptCharLimit: integer('transcriptCharLimit', {
      ...{ min: 200, max: 12_000, default: 2_000 },
    }),
    ...agent,
  },
  'invalid request body',
)

const node = z.object({
  ...{ id: z.string(), kind, depth: z.int(), sourceType, sourceRef: nullable },
  meta: z.unknown(),
  ...{ project: nullable, sessionKey: nullable, harness: nullable, agentId: z.string() },
  ...{ content: z.string(), tokenCount: z.int() },
  ...{ earliestAt: z.string(), latestAt: z.string(), createdAt: z.string() },
})

export const expandReply = z.object({
  node,
  parents: z.array(node),
  children: z.array(node),
  linkedMemories: z.array(
    z.object({
      ...{ id: z.string(), content: z.string(), type: z.string() },
      ...{ createdAt: z.string(), deleted: z.boolean() },
    }),
  ),
  transcript: z
    .object({
      ...{ sessionKey: z.string(), harness: z.string(), project: nullable },
      ...{ updatedAt: z.string(), excerpt: z.string(), content: z.string() },
    })
    .nullable(),
})

export const blackBoxesQuery = z.object({
  ...agent,
  project: text,
  limit: integer('limit', { min: 1, max: 100, default: 50 }),
})
export const replayQuery = z.object({ ...agent, project: text })

export const blackBoxesReply = z.object({
  agentId: z.string(),
  sessions: z.array(
    z.object({
      ...{ sessionKey: z.string(), agentId: z.string(), project: nullable, lastAt: z.string() },
      ...{ recallEvents: z.int(), artifactEvents: z.int() },
    }),
  ),
  count: z.int(),
})

const ref = z.object({
  kind: z.enum(['memory', 'source', 'source_artifact', 'assertion', 'session']),
  ...{ id: z.string(), label: z.string() },
  score: z.number().optional(),
  status: z.string().optional(),
  sourcePath: z.string().optional(),
})

export const replayReply = z.object({
  ...{ sessionKey: z.string(), agentId: z.string(), generatedAt: z.string(), eventCount: z.int() },
  events: z.array(
    z.object({
      id: z.string(),
      kind: z.enum([
        ...(['recall.requested', 'recall.result', 'context.recalled'] as const),
        ...(['artifact.written', 'assertion.created'] as const),
      ]),
      ...{ at: z.string(), title: z.string(), detail: z.string(), refs: z.array(ref) },
      payload: z.record(z.string(), z.unknown()),
    }),
  ),
  frame: z.object({
    at: nullable,
    activeRefCount: z.int(),
    activeRefs: z.array(ref),
    likelyInfluences: z.array(
      z.object({
        ...{ eventId: z.string(), at: z.string(), reason: z.string(), refs: z.array(ref) },
      }),
    ),
    warnings: z.array(z.string()),
  }),
})

export function toSearchReply(query: string, hits: readonly SessionHit[]) {
  return { query, hits: [...hits], count: hits.length }
}

export function toSummariesReply(listed: {
  readonly summaries: readonly ListedSummary[]
  readonly total: number
}) {
  return { summaries: listed.summaries.map(toListed), total: listed.total }
}

export function toExpandReply({
  node,
  parents,
  children,
  linkedMemories,
  transcript,
}: ExpandedSummary) {
  return {
    node: toNode(node),
    parents: parents.map(toNode),
    children: children.map(toNode),
    linkedMemories: [...linkedMemories],
    transcript,
  }
}

export function toBlackBoxesReply(agentId: string, sessions: readonly SessionActivity[]) {
  return { agentId, sessions: [...sessions], count: sessions.length }
}

export function toReplayReply(replay: Replay): z.input<typeof replayReply> {
  const events = replay.events.map((event) => ({ ...event, refs: [...event.refs] }))
  const { at, activeRefCount, activeRefs, likelyInfluences, warnings } = replay.frame
  return {
    ...{ sessionKey: replay.sessionKey, agentId: replay.agentId },
    ...{ generatedAt: replay.generatedAt, eventCount: events.length, events },
    frame: {
      ...{ at, activeRefCount, activeRefs: [...activeRefs], warnings: [...warnings] },
      likelyInfluences: likelyInfluences.map((one) => ({ ...one, refs: [...one.refs] })),
    },
  }
}

function toListed({ childCount, ...summary }: ListedSummary) {
  const { id, project, depth, kind, content, harness } = summary
  return {
    ...{ id, project, depth, kind, content, harness, childCount },
    ...{ token_count: summary.tokenCount, session_key: summary.sessionKey },
    ...{ earliest_at: summary.earliestAt, latest_at: summary.latestAt },
    ...{ agent_id: summary.agentId, source_type: summary.sourceType },
    ...{ source_ref: summary.sourceRef, meta_json: summary.metaJson },
    created_at: summary.createdAt,
  }
}

function toNode({ metaJson, ...summary }: Summary) {
  return { ...summary, meta: metaJson === null ? null : (JSON.parse(metaJson) as unknown) }
}

/** Harnesses write keys with and without `session:` before them. */
function removePrefix(written: string | undefined): string | undefined {
  const key = written?.replace(/^session:/, '').trim()
  return key === '' ? undefined : key
}
