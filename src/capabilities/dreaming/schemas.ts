import { z } from 'zod'
import * as value from '../../kernel/http/wire-values.ts'
import { maxOperations } from './check/parse-operations.ts'
import { sourceKinds } from './evidence/evidence.ts'
import { maxListedPasses } from './pass.ts'

const engine = z.enum(['auto', 'rules', 'model'], 'engine must be auto, rules or model').nullish()
const maxPositions = 1_000

/** Positions of operations in the plan of a pass: `[1, 3]`, or `1,3-5`. */
const positions = z
  .unknown()
  .meta({
    type: ['array', 'string'],
    items: { type: 'integer' },
    pattern: '^\\d[\\d, -]*$',
    examples: [[0]],
  })
  .transform((input, context) => {
    if (input === undefined || input === null) return undefined
    const listed = [input].flat().flatMap(parsePositions)
    if (listed.length === 0 || listed.includes(undefined) || listed.length > maxPositions) {
      const message = 'only must list positions, such as [1, 3] or "1,3-5"'
      context.issues.push({ code: 'custom', message, input })
    }
    return listed.filter((position) => position !== undefined)
  })
  .optional()
  .describe('Positions of operations, such as 1,3-5; default: all')

/** Undefined stands for an invalid part. */
function parsePositions(input: unknown): (number | undefined)[] {
  if (typeof input === 'number') return [Number.isInteger(input) && input >= 0 ? input : undefined]
  if (typeof input !== 'string') return [undefined]
  return input.split(',').flatMap((part) => {
    const [, first, last = first] = /^\s*(\d{1,4})(?:-(\d{1,4}))?\s*$/.exec(part) ?? []
    if (first === undefined) return [undefined]
    const length = Number(last) - Number(first) + 1
    return length < 1 ? [undefined] : Array.from({ length }, (_, at) => Number(first) + at)
  })
}

const triggered = {
  ...value.ignoredAgent,
  mode: value.text.describe('`compact`, or anything else for `incremental`'),
  dryRun: value.flag.describe('Plan only: nothing but the plan is written'),
  dry_run: value.flag,
  engine: engine.describe('`auto`, `rules` (no model) or `model`'),
}

export const agentQuery = z.object(value.ignoredAgent)
export const agentBody = z.object(value.ignoredAgent)
export const byPass = z.object({
  passId: z.string().meta({ 'x-ids': 'GET /api/dream/passes' }),
})
export const triggerBody = z.object(triggered)
export const triggerQuery = z.object(triggered)
export const passesQuery = z.object({
  ...value.ignoredAgent,
  limit: value.integer('limit', { min: 1, max: maxListedPasses, default: 20 }),
  before: value.text.describe('The id of a pass: older ones are listed'),
  id_prefix: value.idPrefix.describe('The first characters of an id, at least six.').optional(),
})
export const decisionBody = z.object({ ...value.ignoredAgent, only: positions })
export const discardBody = z.object({
  ...value.ignoredAgent,
  only: positions,
  reason: value.cleanText,
})
export const undoBody = z.object({
  ...value.ignoredAgent,
  only: positions,
  partial: value.flag.describe('Leave operations whose rows have changed since'),
  dryRun: value.flag.describe('Show what would be undone'),
  dry_run: value.flag,
  reason: value.cleanText,
})

type Triggered = z.output<typeof triggerBody>

/** The body comes before the query. */
export function toTriggerRequest(body: Triggered, query: Triggered) {
  const read = <Name extends keyof Triggered>(name: Name) => body[name] ?? query[name]
  const mode = read('mode') === 'compact' ? 'compact' : 'incremental'
  const dryRun = read('dryRun') ?? read('dry_run') ?? false
  return { mode, dryRun, engine: read('engine') ?? undefined } as const
}

export function toUndoRequest(body: z.output<typeof undoBody>) {
  const { only, partial = false, reason } = body
  return { only, partial, reason, dryRun: body.dryRun ?? body.dry_run ?? false }
}

export const requeueBody = z.object({
  ...value.ignoredAgent,
  sourceKind: z.enum(sourceKinds, 'Invalid episodic source kind'),
  sourceId: z
    .string('Missing episodic source id')
    .trim()
    .min(1, 'Missing episodic source id')
    .meta({ pattern: '\\S' })
    .describe('Id of the memory, or key of the session'),
})

const flagExample = { operation: 'flag', payload: { subjectRef: 'entity:Ferry', priority: 50 } }

export const operationsBody = z.object({
  ...value.ignoredAgent,
  operations: z
    .array(z.unknown(), 'operations are required')
    .min(1, 'operations are required')
    .max(maxOperations, `operations must have at most ${maxOperations} items`)
    .meta({ examples: [[flagExample]] }),
  actor: value.cleanText,
})

export const byName = z.object({
  name: z.string().min(1).max(512).describe('Name of the entity, in any case'),
})
export const byCapability = z.object({ capability: z.string() })
export const invokeBody = z.object({
  ...value.ignoredAgent,
  actor: value.cleanText,
  passId: value.text.describe('The running pass, for `runbook_write`'),
  input: z
    .record(z.string(), z.unknown())
    .nullish()
    .meta({ examples: [{}] }),
})
