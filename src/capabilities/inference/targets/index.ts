import type { ModelLibrary } from './library.ts'
import { createLibraryTarget } from './library-target.ts'
import type { CreateTarget, Executor } from './target.ts'

/** Loads the library of a protocol. */
const libraries: Readonly<Partial<Record<Executor, () => Promise<ModelLibrary>>>> = {
  'openai-compatible': async () => (await import('./openai-compatible.ts')).openAiCompatible,
  'llama-cpp': async () => (await import('./openai-compatible.ts')).openAiCompatible,
  openrouter: async () => (await import('./openai-compatible.ts')).openRouter,
  openai: async () => (await import('./openai.ts')).openAi,
  anthropic: async () => (await import('./anthropic.ts')).anthropic,
  google: async () => (await import('./google.ts')).google,
  ollama: async () => (await import('./ollama.ts')).ollama,
}

export const createTarget: CreateTarget = async (needs) => {
  const load = libraries[needs.settings.executor]
  if (load) return createLibraryTarget(needs, await load())
  const { createProgramTarget } = await import('./program-target.ts')
  return createProgramTarget(needs)
}
