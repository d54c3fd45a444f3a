import { z } from 'zod'
import { rememberReply } from '../memory/index.ts'
import { recallMeta, recallRow } from '../recall/index.ts'

const bypassed = { bypassed: z.literal(true).optional() }
const failed = z.object({ error: z.string() })
const strings = z.array(z.string()).readonly().optional()
const context = {
  inject: z.string(),
  contextHash: z.string().optional(),
  contextVersion: z.literal(1).optional(),
  dynamicContext: z.string(),
}

const notifications = z
  .array(
    z.object({
      id: z.string(),
      kind: z.enum(['message', 'task_run']),
      text: z.string(),
      createdAt: z.string(),
    }),
  )
  .readonly()
  .optional()

export const noticesReply = z.union([
  z.object({ inject: z.string(), notifications, ...bypassed }),
  failed,
])

export const memoryItem = z.object({
  id: z.string(),
  content: z.string(),
  truncated: z.boolean(),
  type: z.string(),
  importance: z.number(),
  created_at: z.string(),
  tags: z.string().nullable(),
  project: z.string().nullable(),
  source_type: z.string(),
  source_id: z.string().nullable(),
  source_path: z.string().nullable(),
  pinned: z.boolean(),
})

export const startContext = z.object({
  ...context,
  identity: z.object({ name: z.string(), description: z.string().optional() }).optional(),
  memories: z.array(memoryItem).readonly(),
  recentContext: z.string().optional(),
  stableSystemPrompt: z.string(),
  sessionKnown: z.boolean().optional(),
  warnings: strings,
  clockContext: z.string().optional(),
  ...bypassed,
})

export const sessionStartReply = z.union([
  startContext,
  z.object({ sessionKnown: z.literal(true) }),
  failed,
])

export const promptReply = z.union([
  z.object({
    ...context,
    clockContext: z.string().optional(),
    memoryCount: z.int(),
    engine: z.string().optional(),
    startContext: z.string().optional(),
    queryTerms: z.string().optional(),
    notifications,
    notificationContext: z.string().optional(),
    sessionKnown: z.boolean().optional(),
    warnings: strings,
    ...bypassed,
  }),
  failed,
])

export const sessionEndReply = z.union([
  z.object({
    memoriesSaved: z.literal(0),
    queued: z.boolean().optional(),
    transcriptCaptureJobId: z.string().optional(),
    skipped: z.literal(true).optional(),
    duplicateSessionEnd: z.literal(true).optional(),
    endedBy: z.string().optional(),
    ...bypassed,
  }),
  failed,
])

export const rememberHookReply = z.union([
  rememberReply,
  z.object({ success: z.literal(true), memories: z.array(z.never()).readonly(), ...bypassed }),
  failed,
])

export const recallHookReply = z.union([
  z.object({
    results: z.array(recallRow).readonly(),
    memories: z.array(recallRow).readonly(),
    count: z.int(),
    query: z.string(),
    method: z.string(),
    meta: recallMeta.partial({ timings: true }),
    message: z.string(),
    sources: z.unknown().optional(),
    aggregate: z.unknown().optional(),
    internal: z.literal(true).optional(),
    ...bypassed,
  }),
  failed,
])

export const preCompactionReply = z.union([
  z.object({
    summaryPrompt: z.string(),
    guidelines: z.string(),
    instructions: z.string(),
    ...bypassed,
  }),
  failed,
])

export const compactionReply = z.union([
  z.object({
    success: z.literal(true),
    memoryId: z.string().nullable().optional(),
    contextEpoch: z.int().optional(),
    ...bypassed,
  }),
  failed,
])

export const checkpointReply = z.union([
  z.object({ skipped: z.literal(true), ...bypassed }),
  failed,
])

export const skillReply = z.union([z.object({ recorded: z.boolean(), ...bypassed }), failed])
