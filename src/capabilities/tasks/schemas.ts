import { z } from 'zod'
import * as value from '../../kernel/http/wire-values.ts'
import { cronRule } from './refusals.ts'
import {
  harnesses,
  type ListedTask,
  presets,
  type RunWithOutput,
  runStatuses,
  skillModes,
  triggers,
} from './task.ts'

const maxNameLength = 200
const maxPromptLength = 65_536

const name = value
  .requiredCleanText('name')
  .refine((text) => text.length <= maxNameLength, `name exceeds ${maxNameLength} characters`)
const prompt = value
  .requiredCleanText('prompt')
  .refine((text) => text.length <= maxPromptLength, {
    error: `prompt exceeds ${maxPromptLength} characters`,
  })
  .describe('The prompt. Credentials in it are redacted.')
const cronExpression = z
  .string('cronExpression is required')
  .regex(/^\s*\S+(?:\s+\S+){4}\s*$/, cronRule)
  .meta({ examples: ['0 9 * * *'] })
  .describe('Five fields of cron, in the time zone of the daemon.')
const harness = z
  .enum(harnesses, `harness must be one of ${harnesses.join(', ')}`)
  .describe('The program that runs the prompt, or `inference` for a model of the daemon.')

const hasNoSecret = (text: string) => value.identifier('text').safeParse(text).success
const workingDirectory = z
  .string()
  .regex(
    /^(?:\/|~(?:\/|$))[^\0]{0,4000}$/,
    'workingDirectory must be an absolute path or begin with ~/',
  )
  .refine(hasNoSecret, `workingDirectory ${value.secretRule}`)
  .meta({ examples: ['~/projects'] })
  .nullable()
  .describe('Folder of the run; null for that of the daemon.')
const model = z
  .string()
  .regex(/^[A-Za-z0-9][\w./:@-]{0,127}$/, 'model must be the name of a model')
  .refine(hasNoSecret, `model ${value.secretRule}`)
  .nullable()
const skillName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'skillName must be the name of a skill')
  .refine(hasNoSecret, `skillName ${value.secretRule}`)
  .nullable()
  .describe('A skill that the prompt uses.')
const skillMode = z
  .enum(skillModes)
  .nullable()
  .describe('`inject` puts the skill before the prompt; `slash` calls it as a command.')

export const createBody = z
  .object({
    name,
    prompt,
    cronExpression,
    harness,
    workingDirectory: workingDirectory.default(null),
    model: model.default(null),
    skillName: skillName.default(null),
    skillMode: skillMode.default(null),
    enabled: value.flag,
    ...value.ignoredAgent,
  })
  .transform(({ agentId: _, agent_id: __, enabled = true, ...fields }) => ({ ...fields, enabled }))

export const updateBody = z
  .object({
    name: name.optional(),
    prompt: prompt.optional(),
    cronExpression: cronExpression.optional(),
    harness: harness.optional(),
    workingDirectory: workingDirectory.optional(),
    model: model.optional(),
    skillName: skillName.optional(),
    skillMode: skillMode.optional(),
    enabled: value.flag,
    ...value.ignoredAgent,
  })
  .transform(({ agentId: _, agent_id: __, enabled, ...fields }) => ({
    ...Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined)),
    ...(fields.cronExpression !== undefined && { cronExpression: fields.cronExpression }),
    enabled,
  }))

const id = z.string().meta({ 'x-ids': 'GET /api/tasks' })
export const byId = z.object({ id })
export const byRun = z.object({ id, runId: z.string() })
export const agentQuery = z.object(value.ignoredAgent)
export const runsQuery = z
  .object({
    ...value.ignoredAgent,
    limit: value.integer('limit', { min: 1, max: 100, default: 20 }),
    offset: value.integer('offset', { min: 0, max: 1_000_000, default: 0 }),
  })
  .transform(({ limit, offset }) => ({ limit, offset }))

const nullableText = z.string().nullable()
const task = z.object({
  id: z.string(),
  agent_id: z.string(),
  name: z.string(),
  prompt: z.string(),
  cron_expression: z.string(),
  harness: z.string(),
  model: nullableText,
  working_directory: nullableText,
  skill_name: nullableText,
  skill_mode: nullableText,
  enabled: z.int(),
  next_run_at: nullableText,
  last_run_at: nullableText,
  last_run_status: nullableText,
  last_run_exit_code: z.int().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
const run = z.object({
  id: z.string(),
  task_id: z.string(),
  status: z.enum(runStatuses),
  trigger: z.enum(triggers),
  scheduled_for: nullableText,
  started_at: z.string(),
  completed_at: nullableText,
  exit_code: z.int().nullable(),
  stdout: nullableText,
  stderr: nullableText,
  stdout_truncated: z.boolean(),
  stderr_truncated: z.boolean(),
  error: nullableText,
})
const preset = z.object({
  label: z.enum(presets.map(({ label }) => label)),
  expression: z.string(),
})

export const tasksReply = z.object({ tasks: z.array(task), presets: z.array(preset) })
export const createdReply = z.object({
  id: z.string(),
  nextRunAt: nullableText,
  warning: z.string().optional(),
})
export const taskReply = z.object({ task, runs: z.array(run) })
export const successReply = z.object({ success: z.literal(true) })
export const startedReply = z.object({ runId: z.string(), status: z.enum(['running', 'pending']) })
export const cancelledReply = z.object({ cancelled: z.boolean() })
export const runsReply = z.object({ runs: z.array(run), total: z.int(), hasMore: z.boolean() })
export const runReply = z.object({ run })

export function toTaskReply(listed: ListedTask): z.input<typeof task> {
  return value.toWireNames(listed)
}

export function toRunReply({
  daemonId: _,
  leaseUntil: __,
  stderr,
  stdout,
  ...fields
}: RunWithOutput): z.input<typeof run> {
  return {
    ...value.toWireNames(fields),
    stdout: stdout?.text ?? null,
    stderr: stderr?.text ?? null,
    stdout_truncated: stdout?.truncated ?? false,
    stderr_truncated: stderr?.truncated ?? false,
  }
}
