import { z } from 'zod'
import * as value from '../../kernel/http/wire-values.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import { rememberBody } from '../memory/index.ts'
import { recallBody } from '../recall/index.ts'
import { runtimePaths, toBareKey } from '../sessions/index.ts'

/** What every hook says; the session key and the agent are read by whoever finds out who asks. */
const said = {
  ...{ harness: value.text, project: value.text, runtimePath: value.text },
  ...{ sessionKey: value.ignored, session_key: value.ignored },
  ...{ agentId: value.ignored, agent_id: value.ignored },
}

/** One sentence names all that must be there. */
function requiring<Shape extends z.ZodRawShape, Name extends string>(
  shape: Shape,
  names: readonly Name[],
  description: object = {},
) {
  const needed: object = Object.fromEntries(names.map((name) => [name, value.requiredText]))
  const whole = z.object({ ...said, ...shape, ...needed }).meta({ ...description })
  const message = `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} required`
  return whole.transform((body, context) => {
    const fields: Readonly<Record<string, unknown>> = body
    if (names.some((name) => !fields[name]))
      context.issues.push({ code: 'custom', message, input: body })
    return { ...body, ...toTexts(fields, names) }
  })
}

function toTexts<Name extends string>(
  fields: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, String(fields[name] ?? '')])) as Record<
    Name,
    string
  >
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
    ...{ parentSessionKey: value.text, ...parents, harnessAgentId: value.text },
    ...{ claimOnly: value.flag, source: value.text, context: value.cleanText },
  },
  ['harness'],
  describeClaim(),
).transform(({ parentKey, parentId, parentID, ...body }) => ({
  ...body,
  parentSessionKey: body.parentSessionKey ?? parentKey ?? parentId ?? parentID,
  claimOnly: body.claimOnly ?? false,
}))

/** No file has a name with NUL in it. */
const path = value.text.transform((written) => (written?.includes('\0') ? undefined : written))

/** What is longer than the transcript's own limit is cut there. */
const conversation = { transcript: value.text, transcriptPath: path }

export const promptBody = requiring(
  {
    ...{ userMessage: value.text, userPrompt: value.text, lastAssistantMessage: value.text },
    ...{ memory_feedback: value.ignored, memoryFeedback: value.ignored },
    includeStart: value.flag,
    ...{ ...conversation, harness: value.requiredText },
  },
  [],
  value.anyText('userMessage', 'userPrompt'),
).transform(({ memory_feedback, memoryFeedback = memory_feedback, ...body }, context) => {
  const isAsked = body.userMessage !== undefined || body.userPrompt !== undefined
  const message = 'harness and userMessage or userPrompt are required'
  if (!body.harness || !isAsked) context.issues.push({ code: 'custom', message, input: body })
  return { ...body, memoryFeedback, harness: body.harness ?? '' }
})

/** Of a day that there is; without a zone it is the time of this machine. */
const isoTime = z
  .string()
  .trim()
  .regex(/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i)
  .refine((written) => z.iso.date().safeParse(written.slice(0, 10)).success)

const whenCaptured = z
  .unknown()
  .meta({ type: 'string', format: 'date-time' })
  .transform((written, context) => {
    if (written === undefined || written === null || written === '') return undefined
    const { data } = isoTime.safeParse(written)
    const date = data === undefined ? undefined : value.readDate(data)
    const message = 'capturedAt must be an ISO timestamp'
    if (!date) context.issues.push({ code: 'custom', message, input: written })
    return date?.toISOString()
  })
  .optional()

export const sessionEndBody = requiring(
  {
    ...{ sessionId: value.text, reason: value.cleanText, cwd: value.text, ...conversation },
    capturedAt: whenCaptured,
  },
  ['harness'],
).transform(({ cwd, ...body }) => ({ ...body, project: body.project ?? cwd }))

export const preCompactionBody = requiring(
  {
    ...{ sessionContext: value.cleanText, transcriptPath: value.text },
    messageCount: value.number,
  },
  ['harness'],
)

export const compactionBody = requiring({ summary: value.cleanText }, [
  ...(['harness', 'summary'] as const),
]).transform(({ summary, ...body }) => ({ ...body, summary: toCleanText(summary) }))

export const checkpointBody = requiring(
  conversation,
  ['harness'],
  value.anyText('sessionKey', 'session_key'),
).transform((body, context) => {
  const hasKey = [body.sessionKey, body.session_key].some(
    (key) => typeof key === 'string' && toBareKey(key) !== undefined,
  )
  const message = 'harness and sessionKey are required'
  if (!hasKey) context.issues.push({ code: 'custom', message, input: body })
  return body
})

export const skillBody = z
  .object({
    ...{ ...said, harness: value.requiredText },
    ...{ skillName: value.text, skill: value.text, toolUseId: value.text },
    errorText: value.cleanText,
    ...{ cwd: value.text, origin: value.text, args: value.ignored, success: value.flag },
    latencyMs: value.integer('latencyMs', { min: 0, max: 1e9, default: undefined }),
    createdAt: value.time('createdAt'),
  })
  .meta(value.anyText('skillName', 'skill'))
  .transform(({ skillName, skill, harness, ...body }, context) => {
    const name = skillName ?? skill
    const message = 'harness and skillName are required'
    if (!harness || name === undefined)
      context.issues.push({ code: 'custom', message, input: body })
    return { ...body, harness, skillName: name ?? '', success: body.success ?? true }
  })

export const rememberHookBody = z
  .looseObject({ ...said, harness: value.requiredText, content: value.requiredText })
  .transform((body, context) => {
    const message = 'harness and content are required'
    const { harness, project, runtimePath } = body
    const isWhole = harness !== '' && body.content !== ''
    if (!isWhole) context.issues.push({ code: 'custom', message, input: body })
    const parsed = rememberBody.safeParse({ ...body, content: body.content || 'nothing' })
    for (const { message, path } of parsed.error?.issues ?? [])
      context.issues.push({ code: 'custom', message, path, input: body })
    return { harness, project, runtimePath, request: parsed.data ?? { content: '' } }
  })

export const recallHookBody = z
  .looseObject({ ...said, harness: value.requiredText, query: value.requiredText })
  .transform((body, context) => {
    const message = 'harness and query are required'
    const { harness, runtimePath } = body
    const isWhole = harness !== '' && body.query !== ''
    if (!isWhole) context.issues.push({ code: 'custom', message, input: body })
    const parsed = recallBody.safeParse({ ...body, query: body.query || 'nothing' })
    for (const { message, path } of parsed.error?.issues ?? [])
      context.issues.push({ code: 'custom', message, path, input: body })
    const isSaved = body['saveAggregate'] ?? body['save_aggregate']
    const asked = parsed.data ?? recallBody.parse({ query: 'nothing' })
    const saveAggregate = isSaved === undefined ? asked.aggregate : asked.saveAggregate
    const request = { ...asked, limit: Math.min(50, asked.limit), saveAggregate }
    // Here it is a filter, and no more: a session may look beyond its own project.
    return { harness, project: undefined, runtimePath, request }
  })
