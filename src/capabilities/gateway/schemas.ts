import { z } from 'zod'
import { openaiError } from '../../kernel/http/error-shape.ts'

const maxTokens = 100_000

/** The clients send null for what is not set. */
const orAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined)

const clamped = (max: number) =>
  orAbsent(z.number().transform((value) => Math.min(max, Math.max(0, Math.floor(value)))))

const part = z.object({
  type: z.string(),
  text: z.string().optional(),
  refusal: z.string().optional(),
  image_url: z.object({ url: z.string() }).optional(),
})
export type WirePart = z.output<typeof part>

const toolCall = z.object({
  id: z.string(),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
})

const message = z.object({
  role: orAbsent(z.string()),
  content: z.union([z.string(), z.array(part), z.null()]).optional(),
  tool_calls: orAbsent(z.array(toolCall)),
  tool_call_id: orAbsent(z.string()),
})
export type WireMessage = z.output<typeof message>

const tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().regex(/^[\w.-]{1,128}$/),
    description: orAbsent(z.string()),
    parameters: orAbsent(z.record(z.string(), z.unknown())),
    strict: orAbsent(z.boolean()),
  }),
})

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
])

const responseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({
      name: orAbsent(z.string()),
      schema: orAbsent(z.record(z.string(), z.unknown())),
    }),
  }),
])

/** Fields that are not listed are ignored. */
export const chatBody = z.object({
  model: orAbsent(z.string()),
  messages: z.array(message).min(1).max(128),
  max_tokens: clamped(maxTokens),
  max_completion_tokens: clamped(maxTokens),
  stream: orAbsent(z.boolean()),
  stream_options: orAbsent(z.object({ include_usage: orAbsent(z.boolean()) })),
  tools: orAbsent(z.array(tool).max(128)),
  tool_choice: orAbsent(toolChoice),
  parallel_tool_calls: orAbsent(z.boolean()),
  response_format: orAbsent(responseFormat),
  temperature: orAbsent(z.number().min(0).max(2)),
  top_p: orAbsent(z.number().min(0).max(1)),
  stop: orAbsent(z.union([z.string(), z.array(z.string()).max(16)])),
  seed: orAbsent(z.int()),
  presence_penalty: orAbsent(z.number().min(-2).max(2)),
  frequency_penalty: orAbsent(z.number().min(-2).max(2)),
  reasoning_effort: orAbsent(z.string().max(32)),
  n: orAbsent(z.int()),
  logprobs: orAbsent(z.boolean()),
  audio: z.unknown().optional(),
  functions: z.unknown().optional(),
})
export type ChatBody = z.output<typeof chatBody>

const usage = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int() }).optional(),
})

const json = z.record(z.string(), z.unknown())

export const chatReply = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({
        role: z.literal('assistant'),
        content: z.string().nullable(),
        tool_calls: z.array(toolCall).optional(),
      }),
      finish_reason: z.string(),
    }),
  ),
  usage: usage.optional(),
  svc: z.object({ decision: json, attempts: z.array(json) }),
})

export const modelReply = z.object({
  id: z.string(),
  object: z.literal('model'),
  owned_by: z.literal('svc'),
})

export const modelsReply = z.object({ object: z.literal('list'), data: z.array(modelReply) })

export const byModel = z.object({ id: z.string() })

const text = { type: 'string', pattern: '\\S' } as const

export const embeddingsBody = z.object({
  /** Checked by the operation, for messages of its own. */
  input: z.unknown().meta({
    anyOf: [text, { type: 'array', items: text, minItems: 1, maxItems: 256 }],
  }),
  model: orAbsent(z.string()),
  encoding_format: orAbsent(z.enum(['float', 'base64'])),
  dimensions: orAbsent(z.int()),
})
export type EmbeddingsBody = z.output<typeof embeddingsBody>

export const embeddingsReply = z.object({
  object: z.literal('list'),
  model: z.string(),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int(),
      /** Base64 of little-endian 32-bit floats, if the request asks for it. */
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
})

export const upstreamError = openaiError
