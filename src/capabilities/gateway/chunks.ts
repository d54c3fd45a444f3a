import type { ModelStream, ModelStreamEvent } from '../inference/index.ts'
import { type CompletionHead, toWireFinish, toWireUsage } from './completion.ts'

type Frame = { readonly data: unknown } | { readonly text: string }
type Json = Readonly<Record<string, unknown>>

interface ChunkOptions extends CompletionHead {
  /** Sends the usage in a chunk of its own. */
  readonly includeUsage: boolean
}

/**
 * The chunks of a streamed completion. Not a generator, because a generator that awaits its next
 * event cannot be closed.
 */
export function toChunks(stream: ModelStream, options: ChunkOptions): AsyncIterable<Frame> {
  const { start, convert } = createMapper(stream.targetRef, options)
  return {
    [Symbol.asyncIterator]: () => {
      const events = stream.events[Symbol.asyncIterator]()
      const state = { frames: start(), isEnded: false }
      const readEvent = async (): Promise<void> => {
        const { done, value } = await events.next()
        state.isEnded = done === true || isLast(value)
        if (!done) state.frames.push(...convert(value))
        if (state.isEnded) state.frames.push({ text: '[DONE]' })
      }
      return {
        next: async () => {
          while (state.frames.length === 0 && !state.isEnded) await readEvent()
          const frame = state.frames.shift()
          return frame ? { done: false, value: frame } : { done: true, value: undefined }
        },
        return: async () => {
          await events.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}

function isLast({ type }: ModelStreamEvent): boolean {
  return type === 'done' || type === 'cancelled' || type === 'error'
}

function createMapper(model: string, { id, created, includeUsage }: ChunkOptions) {
  const head = { id, object: 'chat.completion.chunk', created, model }
  const chunk = (delta: Json, finish: string | null = null, more: Json = {}): Frame => ({
    data: { ...head, choices: [{ index: 0, delta, finish_reason: finish }], ...more },
  })
  const convert = (event: ModelStreamEvent): readonly Frame[] => {
    switch (event.type) {
      case 'delta':
        return [chunk({ content: event.text })]
      case 'tool-call-delta':
        return [chunk({ tool_calls: [toToolCallDelta(event)] })]
      case 'done': {
        const { decision, attempts } = event
        const finish = toWireFinish(event.finishReason)
        const usage = toWireUsage(event.usage)
        const own = includeUsage && usage ? [{ data: { ...head, choices: [], usage } }] : []
        const last = { ...(usage && !includeUsage && { usage }), svc: { decision, attempts } }
        return [chunk({}, finish, last), ...own]
      }
      case 'cancelled': {
        const { partialText, decision, attempts } = event
        return [chunk({}, 'cancelled', { svc: { partialText, decision, attempts } })]
      }
      case 'error': {
        const { error: message, partialText, decision, attempts } = event
        const svc = { error: message, partialText, decision, attempts }
        // Official clients throw on `error`, in place of taking half of a text for a whole one.
        const error = { message, type: 'api_error', param: null, code: 'stream_failed' }
        return [chunk({}, 'error', { error, svc })]
      }
    }
  }
  return { start: () => [chunk({ role: 'assistant' })], convert }
}

function toToolCallDelta(delta: Extract<ModelStreamEvent, { type: 'tool-call-delta' }>): Json {
  const { index, toolCallId, toolName, argumentsDelta } = delta
  return {
    index,
    ...(toolCallId !== undefined && { id: toolCallId, type: 'function' }),
    function: { ...(toolName !== undefined && { name: toolName }), arguments: argumentsDelta },
  }
}
