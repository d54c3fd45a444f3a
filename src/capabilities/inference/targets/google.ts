import { createGoogle } from '@ai-sdk/google'
import type { ModelLibrary } from './library.ts'

export const google: ModelLibrary = {
  createModel: ({ baseUrl, credential, fetch }, { model }) =>
    createGoogle({ baseURL: baseUrl, apiKey: credential, fetch }).chat(model),
  systemFirst: true,
}
