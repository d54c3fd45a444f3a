import { z } from 'zod'

const nullable = z.string().nullable()
const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly()
const record = z.record(z.string(), z.unknown())
const count = z.int()

const passItem = z.object({
  id: z.string(),
  agentId: z.string(),
  mode: z.string(),
  engine: z.string(),
  trigger: z.string(),
  dryRun: z.boolean(),
  status: z.enum(['running', 'completed', 'failed']),
  disposition: z.string(),
  startedAt: z.string(),
  completedAt: nullable,
  tokensConsumed: count,
  tokensInput: count,
  tokensOutput: count,
  cost: z.number().nullable(),
  sources: count,
  mutationsApplied: count,
  mutationsSkipped: count,
  mutationsFailed: count,
  stoppedBy: nullable,
  modelStatus: nullable,
  modelError: nullable,
  summary: nullable,
  error: nullable,
})

const operationItem = z.object({
  position: count,
  origin: z.enum(['rules', 'model']),
  rule: nullable,
  operation: z.string(),
  payload: record,
  subject: z.string(),
  slot: nullable,
  before: nullable,
  after: nullable,
  evidence: list(z.object({ sourceKind: z.string(), sourceId: z.string(), quote: z.string() })),
  confidence: z.number().nullable(),
  reason: z.string(),
  risk: nullable,
  state: z.string(),
  error: nullable,
  proposalId: nullable,
})

const attentionItem = z.object({
  id: z.string(),
  kind: z.string(),
  subjectRef: z.string(),
  details: z.record(z.string(), z.string()),
  priority: count,
  generation: count,
  createdAt: z.string(),
})

const exclusionItem = z.object({
  sourceKind: z.string(),
  sourceId: z.string(),
  reason: z.string(),
  passId: nullable,
  excludedAt: z.string(),
  requeueRequestedAt: nullable,
  resolvedAt: nullable,
})

export const triggerReply = z.object({
  accepted: z.literal(true),
  passId: z.string(),
  status: z.string(),
  mode: z.string(),
  agentId: z.string(),
  dryRun: z.boolean(),
  engine: z.string(),
})
export const passesReply = z.object({ items: list(passItem), next: nullable })
export const passReply = z.object({
  pass: passItem,
  operations: list(operationItem),
  nearDuplicates: list(z.object({ one: z.string(), other: z.string(), similarity: z.number() })),
  skipped: z.record(z.string(), z.number()),
  window: z.object({
    cursor: z.string(),
    sources: list(z.object({ sourceKind: z.string(), sourceId: z.string(), chars: count })),
  }),
  runbook: z
    .object({
      summary: z.string(),
      openQuestions: list(z.string()),
      deferred: list(z.string()),
    })
    .nullable(),
})
export const appliedReply = z.object({
  pass: passItem,
  items: list(
    z.object({ position: count, state: z.string(), error: nullable, proposalId: nullable }),
  ),
})
export const discardedReply = z.object({ pass: passItem, rejected: list(count) })
export const undoneReply = z.object({
  pass: passItem,
  undone: list(count),
  kept: list(z.object({ position: count, error: z.string() })),
  dryRun: z.boolean(),
})
export const cancelledReply = z.object({ cancelled: z.literal(true), passId: z.string() })
export const traceReply = z.object({
  agentId: z.string(),
  passId: z.string(),
  items: list(
    z.object({
      id: z.string(),
      passId: z.string(),
      sequence: count,
      toolCallId: z.string(),
      toolName: z.string(),
      input: z.unknown(),
      output: z.unknown(),
      success: z.boolean(),
      latencyMs: count,
      createdAt: z.string(),
    }),
  ),
})

const limits = z.object({ tokens: z.number(), cost: z.number() })

export const statusReply = z.object({
  agentId: z.string(),
  enabled: z.boolean(),
  worker: z.object({ running: z.boolean(), active: z.boolean(), activeAgentId: nullable }),
  blockedBy: nullable,
  episodicTokensPending: count,
  backlog: z.object({ sources: count, oldestAt: nullable, windowSources: count }),
  state: z.object({
    tokensSinceLastPass: count,
    lastPassAt: nullable,
    lastPassId: nullable,
    lastPassMode: nullable,
    consecutiveFailures: count,
    modelFailures: count,
    lastFailureAt: nullable,
    evidenceCursor: z.string(),
  }),
  config: z.object({
    tokenThreshold: count,
    backfillOnFirstRun: z.boolean(),
    maxInputTokens: count,
    maxOutputTokens: count,
    timeout: count,
    maxInterval: count,
    rulesTokenThreshold: count,
    apply: z.string(),
    user: nullable,
  }),
  engine: z.object({ configured: z.string(), effective: z.string(), modelReady: z.boolean() }),
  budget: z.object({
    day: z.object({
      tokens: z.number(),
      cost: z.number(),
      costKnown: z.boolean(),
      limits,
    }),
    pass: z.object({
      callsPerPass: count,
      toolCallsPerPass: count,
      writesPerPass: count,
      costPerPass: z.number(),
    }),
  }),
  schedule: z.object({
    due: z.boolean(),
    because: z.string(),
    nextCheckAt: nullable,
    haltedUntil: nullable,
  }),
  plans: count,
  passes: list(passItem),
  exclusions: list(exclusionItem),
  attention: list(attentionItem),
})

export const requeueReply = z.object({
  requeued: z.literal(true),
  agentId: z.string(),
  sourceKind: z.string(),
  sourceId: z.string(),
})
export const operationsReply = z.object({
  ok: z.literal(true),
  items: list(
    z.object({
      index: count,
      ok: z.boolean(),
      proposal: nullable.optional(),
      result: z.unknown().optional(),
      error: z.string().optional(),
    }),
  ),
  agentId: z.string(),
})

const rate = z.number().nullable()

export const qualityReply = z.object({
  agentId: z.string(),
  citationCoverage: z.object({
    totalClaimValues: count,
    valuesWithResolvedEpisodicQuote: count,
    unaddressableClaimValues: count,
    unresolvedClaimPaths: count,
    rate,
  }),
  graphGarbageRate: z.object({
    totalEntities: count,
    garbageEntities: count,
    rate,
    examples: list(z.object({ id: z.string(), name: z.string(), reason: z.string() })),
  }),
  structureQuality: z.object({
    totalEntities: count,
    unknownEntityTypes: count,
    unknownEntityTypeRate: rate,
    totalAspects: count,
    profileAspects: count,
    profileAspectRate: rate,
    genericAspects: count,
    genericAspectRate: rate,
  }),
  claims: z.object({
    active: count,
    cited: count,
    /** `other`: written by people, other capabilities, or passes whose operations are deleted. */
    byOrigin: z.object({ rules: count, model: count, other: count }),
  }),
  undoneShare: z.object({ removed: count, applied: count, rate }),
  measuredAt: z.string(),
})

export const toolsReply = z.object({
  items: list(
    z.object({
      id: z.string(),
      title: z.string(),
      description: z.string(),
      readOnly: z.boolean(),
      inputSchema: z.record(z.string(), z.unknown()),
    }),
  ),
})
export const invokeReply = z.looseObject({
  tool: z.string(),
  ok: z.boolean(),
  agentId: z.string(),
})

export const pagesReply = z.object({
  items: list(
    z.object({ name: z.string(), entity: z.string(), claims: count, updatedAt: z.string() }),
  ),
})

export const pageReply = z.object({
  name: z.string(),
  entity: z.string(),
  text: z.string(),
  references: list(z.object({ number: count, ref: z.string(), sourceTime: z.string().nullable() })),
  updatedAt: z.string(),
})
