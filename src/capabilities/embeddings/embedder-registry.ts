import { memoize } from './cache.ts'
import { createEmbedders } from './create-embedder.ts'
import { type Embedder, EmbeddingFailure, toIdentity } from './embedder.ts'
import { type Models, readModels, selectModel } from './models.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import { withDimensionCheck } from './providers/fallback.ts'
import { createStaticEmbedder } from './providers/static.ts'
import { createStoredVectors } from './stored-vectors.ts'

/** An embedder bound to one model identity. */
export interface BoundEmbedder {
  readonly identity: string
  readonly embedder: Embedder
}

export interface EmbedderRegistry {
  /** Reads the models and starts to query the provider. */
  start(): Promise<void>
  /** Undefined if embeddings are disabled. */
  configured(): Embedder | undefined
  models(): Models
  /** Why the identity of the provider is unknown; undefined if it is known. */
  failure(): EmbeddingFailure | undefined
  /** Reads configuration and models again; a provider that does not answer changes nothing. */
  refresh(): Promise<void>
  /** Resolves when the last refresh has ended. */
  ready(): Promise<void>
  /** Embedders of new memories: the configured model and the active one. */
  writeTargets(): readonly BoundEmbedder[]
  queryTarget(): BoundEmbedder | undefined
  close(): Promise<void>
}

interface State {
  key: string
  embedder: Embedder | undefined
  models: Models
  failure: EmbeddingFailure | undefined
  refreshing: Promise<void>
}

export function createEmbedderRegistry(needs: EmbeddingsNeeds): EmbedderRegistry {
  const bundled = createStaticEmbedder({ ...needs, readModel: memoize(needs.readModel) })
  const create = createEmbedders({ ...needs, storedVectors: createStoredVectors(needs) }, bundled)
  const state: State = {
    key: '',
    embedder: undefined,
    failure: undefined,
    refreshing: Promise.resolve(),
    models: { active: undefined, target: undefined, building: undefined, retired: [] },
  }
  const refreshModels = async (): Promise<void> => {
    const { embedder } = state
    const settled = await readOrSelectModel(needs, embedder)
    if (embedder === state.embedder) Object.assign(state, settled)
  }
  /** Closes the previous embedder if the configuration changed. */
  const applyConfig = (): void => {
    const config = needs.config()
    const key = JSON.stringify(config)
    if (key === state.key) return
    const { embedder: before } = state
    state.key = key
    state.embedder = create(config)
    state.models = { ...state.models, target: undefined }
    state.refreshing = refreshModels().catch((error) =>
      needs.log.error({ err: error }, 'model refresh failed'),
    )
    if (before !== bundled) void before?.close()
  }
  const bind = (identity: string | undefined): BoundEmbedder | undefined => {
    if (identity === undefined) return undefined
    if (identity === bundledIdentity) return { identity, embedder: bundled }
    return bindConfigured(state, identity)
  }
  return {
    start: async () => {
      state.models = await readModels(needs.db)
      applyConfig()
    },
    configured: () => {
      applyConfig()
      return state.embedder
    },
    models: () => state.models,
    failure: () => state.failure,
    refresh: async () => {
      applyConfig()
      await state.refreshing
      await refreshModels()
    },
    ready: () => {
      applyConfig()
      return state.refreshing
    },
    writeTargets: () => {
      const { active, target } = state.models
      const identities = new Set([target?.identity, state.embedder && active?.identity])
      return [...identities].flatMap((identity) => bind(identity) ?? [])
    },
    queryTarget: () => (state.embedder ? bind(state.models.active?.identity) : undefined),
    close: async () => {
      await Promise.all([state.embedder?.close(), bundled.close()])
      await state.refreshing
    },
  }
}

function bindConfigured({ embedder, models }: State, identity: string): BoundEmbedder | undefined {
  const { target } = models
  if (!embedder || target?.identity !== identity) return undefined
  return { identity, embedder: withDimensionCheck(embedder, target.dims) }
}

const bundledIdentity = toIdentity({
  model: 'static-en-256',
  dims: 256,
  quantisation: 'int8',
  promptFormat: 'plain',
})

async function readOrSelectModel(
  needs: EmbeddingsNeeds,
  embedder: Embedder | undefined,
): Promise<Pick<State, 'models' | 'failure'>> {
  try {
    const models = embedder
      ? await selectModel(needs, await embedder.identity())
      : await readModels(needs.db)
    return { models, failure: undefined }
  } catch (failure) {
    if (!(failure instanceof EmbeddingFailure)) throw failure
    return { models: await readModels(needs.db), failure }
  }
}
