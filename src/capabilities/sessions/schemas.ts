import { z } from 'zod'
import * as value from '../../kernel/http/wire-values.ts'
import { runtimePaths, type Session, toBareKey } from './session.ts'

const sessionKey = value.text.transform((key) => toBareKey(key))

export const agentQuery = z.object(value.ignoredAgent)

export const byKey = z.object({
  key: z.string().transform((key) => toBareKey(key) ?? ''),
})

const session = z.object({
  key: z.string(),
  runtimePath: z.string(),
  claimedAt: z.string(),
  expiresAt: z.string().nullable(),
  bypassed: z.boolean(),
  agentId: z.string(),
  harness: z.string().nullable(),
  project: z.string().nullable(),
  provider: z.string().nullable(),
})
export const sessionReply = session
export const sessionsReply = z.object({ sessions: z.array(session), count: z.int() })

export function toSessionReply({ sessionKey: key, ...rest }: Session): z.input<typeof session> {
  return { key, ...rest }
}

export const bypassBody = z.object({
  enabled: z.boolean('enabled (boolean) is required'),
  ...value.ignoredAgent,
})
export const bypassReply = z.object({ key: z.string(), bypassed: z.boolean() })

export const renewReply = z.object({
  key: z.string(),
  renewed: z.literal(true),
  expiresAt: z.string().optional(),
})
export const renewBody = z.object(value.ignoredAgent)

export const presenceQuery = z
  .object({
    ...value.ignoredAgent,
    sessionKey,
    session_key: sessionKey,
    project: value.text,
    includeSelf: value.flag,
    include_self: value.flag,
    limit: value.integer('limit', { min: 1, max: 200, default: 50 }),
  })
  .transform(({ project, limit, ...query }) => ({
    project,
    limit,
    sessionKey: query.sessionKey ?? query.session_key,
    includeSelf: query.includeSelf ?? query.include_self ?? false,
  }))

/** Any other value counts as absent. */
const runtimePath = z.enum(runtimePaths).optional().catch(undefined)

export const presenceBody = z
  .object({
    harness: value.required('harness'),
    ...value.ignoredAgent,
    sessionKey,
    session_key: sessionKey,
    project: value.identifier('project'),
    provider: value.cleanText,
    runtimePath,
  })
  .transform((body) => ({
    harness: body.harness,
    project: body.project ?? null,
    provider: body.provider ?? null,
    runtimePath: body.runtimePath ?? null,
    sessionKey: body.sessionKey ?? body.session_key ?? null,
  }))

const presence = z.object({
  key: z.string(),
  sessionKey: z.string().nullable(),
  agentId: z.string(),
  harness: z.string(),
  project: z.string().nullable(),
  runtimePath: z.string().nullable(),
  provider: z.string().nullable(),
  startedAt: z.string(),
  lastSeenAt: z.string(),
})
export const presenceReply = z.object({ presence })
export const presencesReply = z.object({ sessions: z.array(presence), count: z.int() })

export const bySessionKey = z.object({
  sessionKey: z.string().transform((key) => toBareKey(key) ?? ''),
})
export const removedReply = z.object({ removed: z.boolean() })
