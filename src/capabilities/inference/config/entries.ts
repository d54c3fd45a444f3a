import { z } from 'zod'
import { executors } from '../targets/target.ts'

export const operations = [
  'default',
  'interactive',
  'tool_planning',
  'code_reasoning',
  'memory_extraction',
  'session_synthesis',
  'aggregate_recall',
  'widget_generation',
  'repair',
  'os_agent',
] as const
export type Operation = (typeof operations)[number]

/** From the least strict to the strictest. */
export const privacyTiers = ['remote_ok', 'restricted_remote', 'local_only'] as const
export type PrivacyTier = (typeof privacyTiers)[number]

/** From the lowest to the highest; of reasoning and of cost. */
export const levels = ['low', 'medium', 'high'] as const
export type Level = (typeof levels)[number]

export const workloadNames = [
  'default',
  'interactive',
  'memoryExtraction',
  'aggregateRecall',
  'widgetGeneration',
  'repair',
] as const
export type WorkloadName = (typeof workloadNames)[number]

const targetKinds = ['subscription_session', 'api', 'local', 'gateway'] as const
export type TargetKind = (typeof targetKinds)[number]

/** The charset of ids and refs in requests. */
export const idPattern = /^[\w.:/-]{1,160}$/

const id = z.string().regex(idPattern, 'must be 1 to 160 letters, digits, . _ : / or -')
const label = z.string().min(1).max(200)
const refs = z.array(id).max(512).default([])
const refsByTask = z.record(id, refs).default({})
const tokens = z.int().min(0).max(10_000_000)
const milliseconds = z.number().min(0).max(3_600_000)
const usdPerMillion = z.number().min(0).max(1_000_000)

const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .max(2_048)
  .refine(hasNoCredentials, 'must not hold credentials: name them with an account')

/** A reference, or the plain name of a variable or a secret. */
const referencePattern =
  /^(\$(env|secret):)?[A-Za-z_][A-Za-z0-9_.-]{0,127}$|^[a-z][a-z0-9+-]*:\/\/\S{1,500}$/
/** Prefixes of keys, and runs that no name has. */
const keyPattern =
  /^(sk|pk|rk|gsk|xai|hf|AIza|ya29|ghp|gho|glpat|xox[a-z])[-_.]|^AIza|^[A-Za-z0-9_.-]*(?=[a-z_.-]*\d)(?=[A-Z_.-]*[a-z])[A-Za-z0-9]{32,}/

const reference = z
  .string()
  .regex(referencePattern, 'must be the name of a variable or secret: $env:NAME or $secret:NAME')
  .refine(
    (text) => !keyPattern.test(text),
    'looks like a key: store it in a variable or a secret, and name that here',
  )

export const accountShape = {
  kind: z.enum(['subscription_session', 'api']).default('api'),
  providerFamily: z.string().max(128).default(''),
  label: label.optional(),
  credentialRef: reference.optional(),
  sessionRef: z.string().min(1).max(512).optional(),
  usageTier: z.string().max(128).optional(),
}

const command = z.object({
  bin: z.string().min(1).max(1_024),
  args: z.array(z.string().max(8_192)).max(64).default([]),
  cwd: z.string().min(1).max(4_096).optional(),
  env: z.record(z.string().max(128), z.string().max(8_192)).default({}),
})

export const targetShape = {
  executor: z.enum(executors),
  kind: z.enum(targetKinds).optional(),
  account: id.optional(),
  endpoint: httpUrl.optional(),
  command: command.optional(),
  privacy: z.enum(privacyTiers).optional(),
  /** Parsed one by one. */
  models: z.unknown().optional(),
}

const price = z.object({
  /** USD per million tokens. */
  input: usdPerMillion,
  output: usdPerMillion,
  cacheRead: usdPerMillion.optional(),
  cacheWrite: usdPerMillion.optional(),
})
export type Price = z.output<typeof price>

export const modelShape = {
  model: z.string().min(1).max(512),
  label: label.optional(),
  reasoning: z.enum(levels).default('medium'),
  contextWindow: z.int().min(1).max(100_000_000).optional(),
  toolUse: z.boolean().optional(),
  streaming: z.boolean().optional(),
  multimodal: z.boolean().default(false),
  costTier: z.enum(levels).optional(),
  averageLatencyMs: milliseconds.optional(),
  price: z.preprocess(foldNames(), price).optional(),
}

export const policyShape = {
  mode: z.enum(['strict', 'automatic', 'hybrid']).default('automatic'),
  allow: refs,
  deny: refs,
  defaultTargets: refs,
  taskTargets: refsByTask,
  fallbackTargets: refs,
  maxLatencyMs: milliseconds.optional(),
  costCeiling: z.enum(levels).optional(),
}

export const taskClassShape = {
  reasoning: z.enum(levels).optional(),
  toolsRequired: z.boolean().default(false),
  streamingPreferred: z.boolean().default(false),
  multimodalRequired: z.boolean().default(false),
  privacy: z.enum(privacyTiers).optional(),
  maxLatencyMs: milliseconds.optional(),
  costCeiling: z.enum(levels).optional(),
  expectedInputTokens: tokens.optional(),
  expectedOutputTokens: tokens.optional(),
  preferredTargets: refs,
  keywords: z.array(z.string().trim().min(1).max(100)).max(256).default([]),
}

export const workloadShape = {
  policy: id.optional(),
  taskClass: id.optional(),
  target: id.optional(),
}

export const agentShape = {
  defaultPolicy: id.optional(),
  roster: refs,
  preferredTargets: refsByTask,
  pinnedTargets: z.record(id, id).default({}),
}

export const budgetShape = {
  period: z.enum(['day', 'month']).default('day'),
  agent: id.optional(),
  taskClass: id.optional(),
  operations: z.array(z.enum(operations)).max(operations.length).optional(),
  /** USD. */
  maxCost: z.number().min(0).max(1_000_000).optional(),
  maxTokens: z.int().min(0).max(1_000_000_000_000).optional(),
}

export const oauthShape = {
  name: label.optional(),
  flow: z.enum(['device', 'browser']),
  clientId: z.string().min(1).max(512),
  clientSecretRef: reference.optional(),
  scopes: z.array(z.string().min(1).max(256)).max(64).default([]),
  issuer: httpUrl.optional(),
  tokenEndpoint: httpUrl,
  deviceAuthorizationEndpoint: httpUrl.optional(),
  authorizationEndpoint: httpUrl.optional(),
  callbackPort: z.int().min(0).max(65_535).default(0),
  callbackPath: z
    .string()
    .regex(/^\/[\w./-]{0,200}$/)
    .default('/callback'),
}

/** Renames snake_case fields, and fields under an older name. */
export function foldNames(aliases: Readonly<Record<string, string>> = {}) {
  return (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const renamed = Object.entries(value).map(([name, field]) => {
      const camel = name.replace(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase())
      return [aliases[camel] ?? camel, field]
    })
    return Object.fromEntries(renamed)
  }
}

function hasNoCredentials(address: string): boolean {
  const { username = '', password = '' } = URL.parse(address) ?? {}
  return username + password === ''
}
