import type {
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { toStreamError } from './errors.ts'
import {
  type FinishReason,
  TargetError,
  type TargetPart,
  type TargetReply,
  type ToolCallPart,
  type Usage,
} from './target.ts'

const finishReasons: Readonly<Record<LanguageModelV4FinishReason['unified'], FinishReason | null>> =
  {
    stop: 'stop',
    length: 'length',
    'content-filter': 'content_filter',
    'tool-calls': 'tool_calls',
    other: 'other',
    // The reply is incomplete.
    error: null,
    interrupted: null,
  }

export function toReply(result: LanguageModelV4GenerateResult): TargetReply {
  const finishReason = toFinishReason(result.finishReason)
  const texts = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const toolCalls = result.content.flatMap((part): ToolCallPart[] =>
    part.type === 'tool-call'
      ? [
          {
            type: 'tool-call',
            toolCallId: part.toolCallId,
            toolName: part.toolName,
            arguments: part.input,
          },
        ]
      : [],
  )
  const warnings = result.warnings.flatMap(toWarning)
  const usage = toUsage(result.usage)
  const text = result.structuredOutputText ?? texts.join('')
  return { text, toolCalls, finishReason, usage, ...(warnings.length > 0 && { warnings }) }
}

function toFinishReason({ unified }: LanguageModelV4FinishReason): FinishReason {
  const reason = finishReasons[unified]
  if (reason === null) throw new TargetError('The reply ended early.', { kind: 'invalid_reply' })
  return reason
}

/** Names the feature only: a free text of the library might quote the request. */
function toWarning(warning: LanguageModelV4GenerateResult['warnings'][number]): string[] {
  return warning.type === 'unsupported' || warning.type === 'compatibility'
    ? [`The provider does not support ${warning.feature}.`]
    : []
}

/** Tokens of one call. A figure beyond it is no measurement: it would use up a budget for good. */
const maxTokens = 1_000_000_000
/** US dollars of one call. */
const maxCost = 100_000

function toUsage({ inputTokens, outputTokens, raw }: LanguageModelV4Usage): Usage {
  const { cost, total_duration: durationNs } = raw ?? {}
  return {
    inputTokens: toTokens(inputTokens.noCache),
    outputTokens: toTokens(outputTokens.total),
    cacheReadTokens: toTokens(inputTokens.cacheRead),
    cacheCreationTokens: toTokens(inputTokens.cacheWrite),
    totalCost: toFigure(cost, maxCost),
    totalDurationMs: typeof durationNs === 'number' ? Math.round(durationNs / 1e6) : null,
  }
}

function toTokens(value: unknown): number | null {
  const figure = toFigure(value, maxTokens)
  return figure === null ? null : Math.ceil(figure)
}

/** Null for what is not reported, or cannot be true. */
function toFigure(value: unknown, max: number): number | null {
  return typeof value === 'number' && value >= 0 && value <= max ? value : null
}

/** Converts the parts of one stream. Tool calls are numbered in the order of their first part. */
export function createPartMapper(): (part: LanguageModelV4StreamPart) => readonly TargetPart[] {
  const indexes = new Map<string, number>()
  const startCall = (toolCallId: string, toolName: string, argumentsDelta: string): TargetPart => {
    const index = indexes.size
    indexes.set(toolCallId, index)
    return { type: 'tool-call-delta', index, toolCallId, toolName, argumentsDelta }
  }
  return (part) => {
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta':
        return [{ type: part.type, text: part.delta }]
      case 'tool-input-start':
        return [startCall(part.id, part.toolName, '')]
      case 'tool-input-delta':
        return [
          {
            type: 'tool-call-delta',
            index: indexes.get(part.id) ?? 0,
            argumentsDelta: part.delta,
          },
        ]
      case 'tool-call':
        return indexes.has(part.toolCallId)
          ? []
          : [startCall(part.toolCallId, part.toolName, part.input)]
      case 'error':
        throw toStreamError(part.error)
      case 'finish':
        return [
          {
            type: 'finish',
            finishReason: toFinishReason(part.finishReason),
            usage: toUsage(part.usage),
          },
        ]
      default:
        return []
    }
  }
}
