import { Refusal } from '../../kernel/errors/refusal.ts'
import type { PromptCall, RouteRequest } from '../inference/index.ts'
import { countChars, hasImage, lastUserText, toMessages } from './messages.ts'
import { unsupported } from './refusals.ts'
import { readRouting } from './routing.ts'
import type { ChatBody } from './schemas.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface ChatRequest {
  readonly route: RouteRequest
  readonly prompt: PromptCall
}

const maxPreviewChars = 4_000
const maxBytesWithoutImages = 524_288

interface Received {
  readonly body: ChatBody
  readonly headers: Headers
  readonly agentId: string
}

export function toChatRequest({ body, headers, agentId }: Received): ChatRequest {
  assertSupported(body)
  const messages = toMessages(body.messages)
  const withImage = hasImage(messages)
  if (!withImage) assertSize(body, headers)
  const maxTokens = (body.max_completion_tokens ?? body.max_tokens) || undefined
  const preview = lastUserText(messages).trim().slice(0, maxPreviewChars)
  const usesTools = (body.tools ?? []).length > 0 && body.tool_choice !== 'none'
  return {
    route: {
      ...readRouting(body.model, headers),
      agentId,
      promptPreview: preview,
      requireTools: usesTools,
      requireStreaming: body.stream === true,
      requireMultimodal: withImage,
      expectedInputTokens: Math.ceil(countChars(messages) / 4),
      expectedOutputTokens: maxTokens,
    },
    prompt: { ...toOptions(body), messages, maxTokens },
  }
}

function assertSupported({ n, logprobs, audio, functions }: ChatBody): void {
  if (n !== undefined && n > 1) throw unsupported('n', 'Only one choice is supported.')
  if (logprobs === true) throw unsupported('logprobs', 'Log probabilities are not supported.')
  if (audio != null) throw unsupported('audio', 'Audio is not supported.')
  if (functions != null) throw unsupported('functions', 'Send `tools` in place of `functions`.')
}

/** Images alone need large bodies. */
function assertSize(body: ChatBody, headers: Headers): void {
  const length = Number(headers['content-length']) || Buffer.byteLength(JSON.stringify(body))
  if (length <= maxBytesWithoutImages) return
  const message = `A body without images has at most ${maxBytesWithoutImages} bytes.`
  throw new Refusal('too_large', 'body_too_large', message)
}

function toOptions(body: ChatBody): Omit<PromptCall, 'messages' | 'maxTokens'> {
  const { tool_choice: choice, response_format: format, stop } = body
  return {
    tools: body.tools?.map(({ function: { name, description, parameters, strict } }) => ({
      name,
      description,
      parameters,
      strict,
    })),
    toolChoice: typeof choice === 'object' ? { tool: choice.function.name } : choice,
    parallelToolCalls: body.parallel_tool_calls,
    responseFormat: toResponseFormat(format),
    temperature: body.temperature,
    topP: body.top_p,
    stop: stop && stop.length > 0 ? [stop].flat() : undefined,
    seed: body.seed,
    presencePenalty: body.presence_penalty,
    frequencyPenalty: body.frequency_penalty,
    reasoningEffort: body.reasoning_effort,
  }
}

function toResponseFormat(format: ChatBody['response_format']): PromptCall['responseFormat'] {
  if (!format || format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: 'json' }
  const { name, schema } = format.json_schema
  return { type: 'json', name, schema }
}
