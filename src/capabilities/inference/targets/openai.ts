import { createOpenAI } from '@ai-sdk/openai'
import type { ModelLibrary } from './library.ts'

export const openAi: ModelLibrary = {
  createModel: ({ baseUrl, credential, fetch }, { model }) =>
    // The other protocol of this provider has no stop sequences and no seed.
    createOpenAI({ baseURL: baseUrl, apiKey: credential, fetch }).chat(model),
  providerOptions: ({ parallelToolCalls, tools = [] }) => ({
    openai: {
      ...(parallelToolCalls !== undefined && tools.length > 0 && { parallelToolCalls }),
    },
  }),
}
