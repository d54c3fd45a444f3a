import type { z } from 'zod'
import type { ExecuteResult, FinishReason, Usage } from '../inference/index.ts'
import type { chatReply } from './schemas.ts'

type WireUsage = NonNullable<z.input<typeof chatReply>['usage']>

export interface CompletionHead {
  readonly id: string
  /** In seconds. */
  readonly created: number
}

export function toCompletion(
  { id, created }: CompletionHead,
  { text, toolCalls, finishReason, usage, targetRef, decision, attempts }: ExecuteResult,
): z.input<typeof chatReply> {
  const calls = toolCalls.map(({ toolCallId, toolName, arguments: args }) => ({
    id: toolCallId,
    type: 'function' as const,
    function: { name: toolName, arguments: args },
  }))
  const wireUsage = toWireUsage(usage)
  return {
    id,
    object: 'chat.completion',
    created,
    model: targetRef,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && calls.length > 0 ? null : text,
          ...(calls.length > 0 && { tool_calls: calls }),
        },
        finish_reason: toWireFinish(finishReason),
      },
    ],
    ...(wireUsage && { usage: wireUsage }),
    svc: { decision: { ...decision }, attempts: attempts.map((attempt) => ({ ...attempt })) },
  }
}

export function toWireFinish(reason: FinishReason): string {
  return reason === 'other' ? 'stop' : reason
}

/** Undefined if the provider reports nothing. The prompt includes cached tokens. */
export function toWireUsage(usage: Usage | null): WireUsage | undefined {
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens } = usage ?? {}
  if (inputTokens == null && outputTokens == null) return undefined
  const prompt = (inputTokens ?? 0) + (cacheReadTokens ?? 0) + (cacheCreationTokens ?? 0)
  const completion = outputTokens ?? 0
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cacheReadTokens != null && { prompt_tokens_details: { cached_tokens: cacheReadTokens } }),
  }
}
