import { z } from 'zod'
import { ignored, integer, text } from '../../kernel/http/wire-values.ts'

const string = z.string()
const nullable = string.nullable()

export const replayQuery = z.object({ agentId: ignored, agent_id: ignored, project: text })
export const blackBoxesQuery = replayQuery.extend({
  limit: integer('limit', { min: 1, max: 100, default: 50 }),
})

export type SessionActivity = z.output<typeof blackBoxesReply>['sessions'][number]
export const blackBoxesReply = z.object({
  agentId: string,
  sessions: z.array(
    z.object({
      sessionKey: string,
      agentId: string,
      project: nullable,
      lastAt: string,
      recallEvents: z.int(),
      artifactEvents: z.int(),
    }),
  ),
  count: z.int(),
})

export type EventRef = z.output<typeof ref>
const ref = z.object({
  kind: z.enum(['memory', 'source', 'source_artifact', 'assertion', 'session']),
  id: string,
  label: string,
  score: z.number().optional(),
  status: string.optional(),
  sourcePath: string.optional(),
})

/** An event in a session that may have influenced its outcome. */
export type SessionEvent = z.output<typeof event>
const event = z.object({
  id: string,
  kind: z.enum([
    'recall.requested',
    'recall.result',
    'context.recalled',
    'artifact.written',
    'assertion.created',
  ]),
  at: string,
  title: string,
  detail: string,
  refs: z.array(ref),
  payload: z.record(string, z.unknown()),
})

export type Replay = z.output<typeof replayReply>
export const replayReply = z.object({
  sessionKey: string,
  agentId: string,
  generatedAt: string,
  eventCount: z.int(),
  events: z.array(event),
  frame: z.object({
    at: nullable,
    activeRefCount: z.int(),
    activeRefs: z.array(ref),
    likelyInfluences: z.array(
      z.object({ eventId: string, at: string, reason: string, refs: z.array(ref) }),
    ),
    warnings: z.array(string),
  }),
})
