import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { ModelLibrary } from './library.ts'
import type { TargetCall } from './target.ts'

/** The key of `providerOptions`. */
const name = 'target'

/** Any server that speaks the chat protocol of OpenAI. */
export const openAiCompatible = toLibrary(() => ({}))

/** Asks for the cost of each call. */
export const openRouter = toLibrary(() => ({ usage: { include: true } }))

function toLibrary(extraBody: () => Record<string, Record<string, boolean>>): ModelLibrary {
  return {
    createModel: ({ baseUrl, credential, fetch }, { model }) =>
      createOpenAICompatible({
        name,
        baseURL: baseUrl,
        apiKey: credential,
        fetch,
        includeUsage: true,
        supportsStructuredOutputs: true,
      }).chatModel(model),
    providerOptions: (call) => ({ [name]: { ...extraBody(), ...parallelCalls(call) } }),
  }
}

function parallelCalls({ parallelToolCalls, tools = [] }: TargetCall) {
  // Some servers refuse the field without tools.
  const isUsed = parallelToolCalls !== undefined && tools.length > 0
  return isUsed ? { parallel_tool_calls: parallelToolCalls } : {}
}
