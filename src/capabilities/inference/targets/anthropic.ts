import { createAnthropic } from '@ai-sdk/anthropic'
import type { ModelLibrary } from './library.ts'

export const anthropic: ModelLibrary = {
  createModel: ({ baseUrl, credential, fetch }, { model }) =>
    createAnthropic({ baseURL: baseUrl, apiKey: credential, fetch }).messages(model),
  providerOptions: ({ parallelToolCalls, tools = [] }) => ({
    anthropic: {
      ...(parallelToolCalls === false && tools.length > 0 && { disableParallelToolUse: true }),
    },
  }),
  systemFirst: true,
}
