import { z } from 'zod'
import * as value from '../../kernel/http/wire-values.ts'
import { rememberBody } from '../memory/index.ts'
import { recallBody } from '../recall/index.ts'
import { runtimePaths, toBareKey } from '../sessions/index.ts'

/** Fields of every hook. `resolveCaller` reads the session key and the agent. */
const common = {
  harness: value.text,
  project: value.text,
  runtimePath: value.text,
  sessionKey: value.ignored,
  session_key: value.ignored,
  ...value.ignoredAgent,
}

export type CommonBody = Omit<z.output<z.ZodObject<typeof common>>, 'harness'> & {
  readonly harness: string
}

/** Missing fields are reported in one message. */
function requiring<Shape extends z.ZodRawShape, Name extends string>(
  shape: Shape,
  names: readonly Name[],
  description: object = {},
) {
  const needed: object = Object.fromEntries(names.map((name) => [name, value.requiredText]))
  const whole = z.object({ ...common, ...shape, ...needed }).meta({ ...description })
  return whole.transform((body, context) => {
    const fields: Readonly<Record<string, unknown>> = body
    if (names.some((name) => !fields[name])) context.addIssue(toMessage(names))
    const texts = Object.fromEntries(names.map((name) => [name, String(fields[name] ?? '')]))
    return { ...body, ...(texts as Record<Name, string>) }
  })
}

function toMessage(names: readonly string[]): string {
  return `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} required`
}

/** A claim without a start requires a session and the path that claims it. */
function describeClaim() {
  const claim = {
    required: ['claimOnly', 'runtimePath'],
    properties: { runtimePath: { enum: runtimePaths } },
    ...value.anyText('sessionKey', 'session_key'),
  }
  return { anyOf: [claim, { properties: { claimOnly: { const: false } } }] }
}

const parents = { parentKey: value.text, parentId: value.text, parentID: value.text }
export const sessionStartBody = requiring(
  {
    parentSessionKey: value.text,
    ...parents,
    /** The harness's name of a sub-agent. A hint of lineage; it grants no access. */
    harnessAgentId: value.text,
    /** Renews the claim without a context, after a restart of the daemon. */
    claimOnly: value.flag,
    /** `clear`: a new conversation under the same key. `compact`: it continues with a summary. */
    source: value.text,
    context: value.cleanText,
  },
  ['harness'],
  describeClaim(),
).transform(({ parentKey, parentId, parentID, ...body }) => ({
  ...body,
  parentSessionKey: body.parentSessionKey ?? parentKey ?? parentId ?? parentID,
  claimOnly: body.claimOnly ?? false,
}))

/** File names cannot contain NUL. */
const path = value.text.transform((input) => (input?.includes('\0') ? undefined : input))

/** A longer transcript is cut at its own limit. */
const conversation = { transcript: value.text, transcriptPath: path }

export const promptBody = requiring(
  {
    userMessage: value.text,
    userPrompt: value.text,
    lastAssistantMessage: value.text,
    memory_feedback: value.ignored,
    /** Ratings from -1 to 1 by memory id, not validated. */
    memoryFeedback: value.ignored,
    /** Set by harnesses that take no context at session start. */
    includeStart: value.flag,
    ...conversation,
    harness: value.requiredText,
  },
  [],
  value.anyText('userMessage', 'userPrompt'),
).transform(({ memory_feedback, memoryFeedback = memory_feedback, ...body }, context) => {
  const hasPrompt = body.userMessage !== undefined || body.userPrompt !== undefined
  if (!body.harness || !hasPrompt)
    context.addIssue('harness and userMessage or userPrompt are required')
  return { ...body, memoryFeedback, harness: body.harness ?? '' }
})

/** An existing day. Without a zone, the time is local. */
const isoTime = z
  .string()
  .trim()
  .regex(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i)
  .refine((input) => z.iso.date().safeParse(input.slice(0, 10)).success)

const capturedAt = z
  .unknown()
  .meta({ type: 'string', format: 'date-time' })
  .transform((input, context) => {
    if (input === undefined || input === null || input === '') return undefined
    const { data } = isoTime.safeParse(input)
    const date = data === undefined ? undefined : value.readDate(data)
    if (!date) context.addIssue('capturedAt must be an ISO timestamp')
    return date?.toISOString()
  })
  .optional()

export const sessionEndBody = requiring(
  {
    sessionId: value.text,
    reason: value.cleanText,
    cwd: value.text,
    ...conversation,
    capturedAt,
  },
  ['harness'],
).transform(({ cwd, ...body }) => ({ ...body, project: body.project ?? cwd }))

export const preCompactionBody = requiring(
  {
    sessionContext: value.cleanText,
    transcriptPath: value.text,
    messageCount: value.number,
  },
  ['harness'],
)

/** The hooks whose output a person or a model reads. */
const noticeHooks = ['session-start', 'user-prompt-submit'] as const

export const noticesBody = requiring({ hook: value.text }, ['harness', 'hook'], {
  properties: { hook: { enum: noticeHooks } },
}).transform(({ hook, ...body }, context) => {
  if (!noticeHooks.some((name) => name === hook))
    context.addIssue(`hook must be ${noticeHooks.join(' or ')}`)
  return body
})

export const compactionBody = requiring({ summary: value.cleanText }, ['harness', 'summary'])

export const checkpointBody = requiring(
  conversation,
  ['harness'],
  value.anyText('sessionKey', 'session_key'),
).transform((body, context) => {
  const keys = [body.sessionKey, body.session_key]
  if (!keys.some((key) => typeof key === 'string' && toBareKey(key) !== undefined))
    context.addIssue(toMessage(['harness', 'sessionKey']))
  return body
})

export const skillBody = z
  .object({
    ...common,
    harness: value.requiredText,
    skillName: value.text,
    skill: value.text,
    toolUseId: value.text,
    errorText: value.cleanText,
    cwd: value.text,
    origin: value.text,
    args: value.ignored,
    success: value.flag,
    latencyMs: value.integer('latencyMs', { min: 0, max: 1e9, default: undefined }),
    createdAt: value.time('createdAt'),
  })
  .meta(value.anyText('skillName', 'skill'))
  .transform(({ skillName, skill, ...body }, context) => {
    const name = skillName ?? skill
    if (!body.harness || name === undefined) context.addIssue(toMessage(['harness', 'skillName']))
    return { ...body, skillName: name ?? '', success: body.success ?? true }
  })

export const rememberHookBody = z
  .looseObject({ ...common, harness: value.requiredText, content: value.requiredText })
  .transform((body, context) => {
    const { harness, project, runtimePath } = body
    if (!harness || !body.content) context.addIssue(toMessage(['harness', 'content']))
    const fields = { ...body, content: body.content || 'nothing' }
    const request = parseFields(rememberBody, fields, context)
    return request ? { harness, project, runtimePath, request } : z.NEVER
  })

export const recallHookBody = z
  .looseObject({ ...common, harness: value.requiredText, query: value.requiredText })
  .transform((body, context) => {
    const { harness, runtimePath } = body
    if (!harness || !body.query) context.addIssue(toMessage(['harness', 'query']))
    const fields = { ...body, query: body.query || 'nothing' }
    const parsed = parseFields(recallBody, fields, context)
    if (!parsed) return z.NEVER
    const isSaved = body['saveAggregate'] ?? body['save_aggregate']
    const saveAggregate = isSaved === undefined ? parsed.aggregate : parsed.saveAggregate
    const request = { ...parsed, limit: Math.min(50, parsed.limit), saveAggregate }
    // The project only filters the recall: a session may search other projects.
    return { harness, project: undefined, runtimePath, request }
  })

/** Parses the fields of another operation. Undefined after issues. */
function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: object,
  context: z.RefinementCtx,
): z.output<Schema> | undefined {
  const { data, error } = schema.safeParse(fields)
  for (const { message, path } of error?.issues ?? [])
    context.addIssue({ code: 'custom', message, path })
  return data
}
