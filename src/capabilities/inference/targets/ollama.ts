import { createOllama } from 'ai-sdk-ollama'
import { checkLines } from './check-lines.ts'
import type { ModelLibrary } from './library.ts'

export const ollama: ModelLibrary = {
  createModel: ({ baseUrl, credential, fetch }, { model, contextWindow }) =>
    createOllama({ baseURL: baseUrl, apiKey: credential, fetch }).chat(model, {
      // Both would call the model again by themselves.
      reliableToolCalling: false,
      reliableObjectGeneration: false,
      structuredOutputs: true,
      ...(contextWindow !== undefined && { options: { num_ctx: contextWindow } }),
    }),
  ignoresToolChoice: true,
  wrapStream: checkLines,
}
