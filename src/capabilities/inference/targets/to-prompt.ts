import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
} from '@ai-sdk/provider'
import type { ModelLibrary } from './library.ts'
import type { MessagePart, ModelMessage, ModelTool, TargetCall } from './target.ts'

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const

export function toCallOptions(call: TargetCall, library: ModelLibrary): LanguageModelV4CallOptions {
  const reasoning = efforts.find((effort) => effort === call.reasoningEffort)
  const providerOptions = library.providerOptions?.(call)
  return definedOnly({
    prompt: toPrompt(call.messages, library),
    maxOutputTokens: call.maxTokens,
    temperature: call.temperature,
    topP: call.topP,
    stopSequences: call.stop && [...call.stop],
    seed: call.seed,
    presencePenalty: call.presencePenalty,
    frequencyPenalty: call.frequencyPenalty,
    reasoning,
    providerOptions,
    responseFormat: toResponseFormat(call),
    abortSignal: call.signal,
    ...toTools(call, library),
  })
}

type Optional<Value> = { [Key in keyof Value]: Value[Key] | undefined }

/** The libraries distinguish an absent option from an undefined one. */
function definedOnly(options: Optional<LanguageModelV4CallOptions>): LanguageModelV4CallOptions {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as unknown as LanguageModelV4CallOptions
}

function toResponseFormat({ responseFormat }: TargetCall) {
  if (!responseFormat) return undefined
  const { name, schema } = responseFormat
  return {
    type: 'json' as const,
    ...(name !== undefined && { name }),
    ...(schema && { schema: schema as JSONSchema7 }),
  }
}

function toTools({ tools = [], toolChoice }: TargetCall, { ignoresToolChoice }: ModelLibrary) {
  if (tools.length === 0 || (ignoresToolChoice && toolChoice === 'none')) return {}
  const choice =
    typeof toolChoice === 'object'
      ? { type: 'tool' as const, toolName: toolChoice.tool }
      : toolChoice && { type: toolChoice }
  return { tools: tools.map(toTool), ...(choice && { toolChoice: choice }) }
}

function toTool({ name, description, parameters, strict }: ModelTool): LanguageModelV4FunctionTool {
  return {
    type: 'function',
    name,
    inputSchema: (parameters ?? { type: 'object', properties: {} }) as JSONSchema7,
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict }),
  }
}

function toPrompt(
  messages: readonly ModelMessage[],
  { systemFirst = false }: ModelLibrary,
): LanguageModelV4Prompt {
  const prompt = messages.flatMap(toMessages)
  if (!systemFirst) return prompt
  const system = prompt.flatMap(({ role, content }) => (role === 'system' ? [content] : []))
  const others = prompt.filter(({ role }) => role !== 'system')
  return system.length === 0
    ? others
    : [{ role: 'system', content: system.join('\n\n') }, ...others]
}

function toMessages({ role, content }: ModelMessage): LanguageModelV4Message[] {
  const parts: readonly MessagePart[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content
  if (role === 'system') return [{ role, content: textOf(parts) }]
  if (role === 'assistant') return [{ role, content: parts.flatMap(toAssistantPart) }]
  if (role === 'tool') {
    const results = parts.flatMap(toToolResult)
    return results.length > 0 ? [{ role, content: results }] : []
  }
  return [{ role, content: parts.flatMap(toUserPart) }]
}

function textOf(parts: readonly MessagePart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function toUserPart(part: MessagePart): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type !== 'image') return []
  const { mediaType, data } = part
  return [{ type: 'file', mediaType, data: { type: 'data', data } }]
}

function toAssistantPart(
  part: MessagePart,
): (LanguageModelV4TextPart | LanguageModelV4ToolCallPart)[] {
  if (part.type === 'text') return part.text ? [{ type: 'text', text: part.text }] : []
  if (part.type !== 'tool-call') return []
  const { toolCallId, toolName } = part
  return [{ type: 'tool-call', toolCallId, toolName, input: parseInput(part.arguments) }]
}

function toToolResult(part: MessagePart) {
  if (part.type !== 'tool-result') return []
  const { toolCallId, toolName, result } = part
  const output = { type: 'text' as const, value: result }
  return [{ type: 'tool-result' as const, toolCallId, toolName, output }]
}

/** A model may have written invalid JSON earlier. Providers accept objects only. */
function parseInput(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : { value }
  } catch {
    return { invalidArguments: text }
  }
}
