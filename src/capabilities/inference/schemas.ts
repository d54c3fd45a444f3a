import { z } from 'zod'
import { ignored } from '../../kernel/http/wire-values.ts'
import { levels, operations, privacyTiers } from './config/entries.ts'

const maxTokenCount = 10_000_000
const maxDurationMs = 600_000
const maxOutputTokens = 100_000

/** A negative number counts as 0, and 0 as absent. */
function clamped(max: number) {
  return z
    .number()
    .transform((value) => Math.min(max, Math.max(0, Math.floor(value))) || undefined)
    .optional()
}

const id = z.string().regex(/^[\w.:/-]+$/, 'must be letters, digits, . _ : / or -')

/** Lengths are checked by `toRouteRequest`, because they have a status of their own. */
const routeFields = {
  agentId: ignored,
  operation: z.enum(operations).default('interactive'),
  taskClass: id.optional(),
  privacy: z.enum(privacyTiers).optional(),
  promptPreview: z.string().optional(),
  explicitPolicy: id.optional(),
  /** Another name of `explicitPolicy`. */
  policy: id.optional(),
  explicitTargets: z
    .array(z.string().regex(/^[\w.:-]+\/[\w.:/-]+$/, 'must be <target>/<model>'))
    .max(8)
    .optional(),
  requireTools: z.boolean().optional(),
  requireStreaming: z.boolean().optional(),
  requireMultimodal: z.boolean().optional(),
  costCeiling: z.enum(levels).optional(),
  expectedInputTokens: clamped(maxTokenCount),
  expectedOutputTokens: clamped(maxTokenCount),
  latencyBudgetMs: clamped(maxDurationMs),
  refresh: z.boolean().optional(),
}

export const explainBody = z.object(routeFields)

export const runBody = z.object({
  ...routeFields,
  prompt: z.string().regex(/\S/, 'is required'),
  maxTokens: clamped(maxOutputTokens),
  timeoutMs: clamped(maxDurationMs),
})
export type RouteBody = z.output<typeof explainBody>
export type RunBody = z.output<typeof runBody>

const ref = z.string()

const runtimeState = z.object({
  available: z.boolean(),
  health: z.enum(['healthy', 'degraded', 'blocked']),
  circuitOpen: z.boolean(),
  accountState: z.enum(['ready', 'missing', 'expired', 'rate_limited', 'unknown']),
  unavailableReason: z.string().optional(),
})

const mode = z.enum(['strict', 'automatic', 'hybrid'])

export const decision = z.object({
  policyId: z.string(),
  mode,
  taskClass: z.string(),
  targetRef: ref,
  targetId: z.string(),
  modelId: z.string(),
  fallbackTargetRefs: z.array(ref).readonly(),
  trace: z.object({
    policyId: z.string(),
    mode,
    classification: z.object({
      taskClass: z.string(),
      reasoning: z.enum(levels),
      source: z.enum(['request', 'workload', 'classifier', 'default']),
      signals: z.array(z.string()).readonly(),
    }),
    orderedTargets: z.array(ref).readonly(),
    candidates: z
      .array(
        z.object({
          targetRef: ref,
          allowed: z.boolean(),
          score: z.number().nullable(),
          reasons: z.array(z.string()).readonly(),
          blockedBy: z.array(z.string()).readonly(),
          runtime: runtimeState,
        }),
      )
      .readonly(),
  }),
})

const usage = z.object({
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  cacheReadTokens: z.number().nullable(),
  cacheCreationTokens: z.number().nullable(),
  totalCost: z.number().nullable(),
  totalDurationMs: z.number().nullable(),
})

const attempt = z.object({
  targetRef: ref,
  ok: z.boolean(),
  durationMs: z.number(),
  error: z.string().optional(),
  usage: usage.optional(),
})

export const executeReply = z.object({
  text: z.string(),
  usage: usage.nullable(),
  decision,
  attempts: z.array(attempt).readonly(),
})

/** `details.code` is the reason of the router. */
export const routerError = z.object({
  error: z.string(),
  code: z.literal('inference_failed'),
  details: z.record(z.string(), z.unknown()),
})

export const requestParams = z.object({ id: z.string().max(200) })
export const cancelReply = z.object({ ok: z.literal(true), requestId: z.string() })

const issue = z.object({
  severity: z.enum(['warning', 'error']),
  field: z.string(),
  ref: z.string(),
  message: z.string(),
})

const counts = z.object({
  execute: z.int(),
  nativeStream: z.int(),
  gatewayStream: z.int(),
  total: z.int(),
})

const amounts = z.object({ tokens: z.number(), cost: z.number() })

export const statusQuery = z.object({ refresh: z.enum(['0', '1']).optional() })

export const statusReply = z.object({
  enabled: z.boolean(),
  source: z.enum(['explicit', 'legacy-implicit', 'disabled']),
  defaultPolicy: z.string().nullable(),
  defaultAgentId: z.string(),
  policies: z.array(z.string()),
  taskClasses: z.array(z.string()),
  targetRefs: z.array(ref),
  workloadBindings: z.record(
    z.string(),
    z.object({
      policy: z.string().optional(),
      taskClass: z.string().optional(),
      target: z.string().optional(),
    }),
  ),
  configIssues: z.array(issue).readonly(),
  runtimeSnapshot: z.object({ targets: z.record(z.string(), runtimeState) }),
  concurrency: z.object({ active: counts, limits: counts }),
  accounts: z.record(
    z.string(),
    z.object({ kind: z.string(), providerFamily: z.string(), label: z.string().optional() }),
  ),
  targets: z.record(
    z.string(),
    z.object({
      kind: z.string(),
      executor: z.string(),
      account: z.string().optional(),
      privacy: z.enum(privacyTiers),
      models: z.record(z.string(), z.object({ model: z.string(), label: z.string().optional() })),
    }),
  ),
  agents: z.array(z.string()),
  budgets: z.array(
    z.object({
      id: z.string(),
      period: z.enum(['day', 'month']),
      agent: z.string().optional(),
      taskClass: z.string().optional(),
      operations: z.array(z.string()).readonly().optional(),
      limits: z.object({ tokens: z.number().nullable(), cost: z.number().nullable() }),
      used: amounts,
      reserved: amounts,
      state: z.enum(['ok', 'near', 'stopped']),
      resetsAt: z.string(),
    }),
  ),
})

export const statusError = z.object({
  error: z.string(),
  code: z.literal('inference_settings_invalid'),
  details: z.object({ issues: z.array(issue), warnings: z.array(issue) }),
})

const historyEvents = [
  'inference.route',
  'inference.execute',
  'inference.stream',
  'inference.fallback',
] as const

const isoTime = z.union([z.iso.datetime({ offset: true }), z.iso.date()], 'must be an ISO time')

const yes = z
  .enum(['0', '1', 'false', 'true'])
  .transform((text) => text === '1' || text === 'true')
  .optional()

export const historyQuery = z.object({
  id: z.string().min(1).optional().describe('Only the event with this id.'),
  limit: z
    .unknown()
    .meta({ type: 'integer', default: 50 })
    .optional()
    .transform((value) => Math.min(500, Math.max(1, Math.floor(Number(value ?? 50)) || 50))),
  since: isoTime.optional(),
  until: isoTime.optional(),
  event: z.enum(historyEvents).optional(),
  failures: yes,
  /** Another name of `failures`. */
  problems: yes,
})
export type HistoryQuery = z.output<typeof historyQuery>

export const historyReply = z.object({
  enabled: z.boolean(),
  events: z.array(
    z.looseObject({
      id: z.string(),
      event: z.string(),
      timestamp: z.string(),
      surface: z.string(),
    }),
  ),
  summary: z.object({
    total: z.int(),
    failures: z.int(),
    fallbacks: z.int(),
    cancelled: z.int(),
  }),
})

export const usageQuery = z.object({
  since: z.iso.date().optional(),
  until: z.iso.date().optional(),
  by: z.enum(['day', 'agent', 'target', 'operation']).default('day'),
})
export type UsageQuery = z.output<typeof usageQuery>

const usageSums = {
  calls: z.number(),
  failures: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheCreationTokens: z.number(),
  cost: z.number(),
}

export const usageReply = z.object({
  rows: z.array(z.object({ key: z.string(), ...usageSums })),
  totals: z.object(usageSums),
})
