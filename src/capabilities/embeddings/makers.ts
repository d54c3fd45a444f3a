import { createEmbedders } from './create-embedder.ts'
import { type Embedder, EmbeddingFailure, toIdentity } from './embedder.ts'
import { createKeptVectors } from './kept-vectors.ts'
import { type Models, readModels, settleModel } from './models.ts'
import type { EmbeddingsNeeds } from './needs.ts'
import { onceRead } from './once-read.ts'
import { withLength } from './providers/length.ts'
import { createStaticEmbedder } from './providers/static.ts'

/** Who makes the vectors of one identity. */
export interface Maker {
  readonly identity: string
  readonly embedder: Embedder
}

export interface Makers {
  /** Reads what is kept, and begins to ask the provider. */
  start(): Promise<void>
  /** Undefined where the configuration wants none. */
  configured(): Embedder | undefined
  models(): Models
  /** Why the provider has not said which model it has; undefined where nothing is left to be asked. */
  failure(): EmbeddingFailure | undefined
  /** Reads again what is configured and what is kept; a provider that cannot be asked leaves all as it is. */
  settle(): Promise<void>
  /** Fulfilled when what was begun last is settled. */
  ready(): Promise<void>
  /** Those for whom new memories are embedded: the configured model, and what answers meanwhile. */
  forWriting(): readonly Maker[]
  forQueries(): Maker | undefined
  close(): Promise<void>
}

interface State {
  key: string
  embedder: Embedder | undefined
  models: Models
  failure: EmbeddingFailure | undefined
  settling: Promise<void>
}

export function createMakers(needs: EmbeddingsNeeds): Makers {
  const bundled = createStaticEmbedder({ ...needs, readModel: onceRead(needs.readModel) })
  const create = createEmbedders({ ...needs, kept: createKeptVectors(needs) }, bundled)
  const state: State = {
    ...{ key: '', embedder: undefined, failure: undefined, settling: Promise.resolve() },
    models: { active: undefined, target: undefined, building: undefined, retired: [] },
  }
  const settle = async (): Promise<void> => {
    const { embedder } = state
    const settled = await settleOrRead(needs, embedder)
    if (embedder === state.embedder) Object.assign(state, settled)
  }
  /** What was configured until now is closed. */
  const refresh = (): void => {
    const config = needs.config()
    const key = JSON.stringify(config)
    if (key === state.key) return
    const { embedder: before } = state
    state.key = key
    state.embedder = create(config)
    state.models = { ...state.models, target: undefined }
    state.settling = settle().catch((error) =>
      needs.log.error({ err: error }, 'models are unknown'),
    )
    if (before !== bundled) void before?.close()
  }
  const makerOf = (identity: string | undefined): Maker | undefined => {
    if (identity === undefined) return undefined
    if (identity === bundledIdentity) return { identity, embedder: bundled }
    return findConfigured(state, identity)
  }
  return {
    start: async () => {
      state.models = await readModels(needs.db)
      refresh()
    },
    configured: () => {
      refresh()
      return state.embedder
    },
    models: () => state.models,
    failure: () => state.failure,
    settle: async () => {
      refresh()
      await state.settling
      await settle()
    },
    ready: () => {
      refresh()
      return state.settling
    },
    forWriting: () => {
      const { active, target } = state.models
      const wanted = new Set([target?.identity, state.embedder && active?.identity])
      return [...wanted].flatMap((identity) => makerOf(identity) ?? [])
    },
    forQueries: () => (state.embedder ? makerOf(state.models.active?.identity) : undefined),
    close: async () => {
      await Promise.all([state.embedder?.close(), bundled.close()])
      await state.settling
    },
  }
}

function findConfigured({ embedder, models }: State, identity: string): Maker | undefined {
  const { target } = models
  if (!embedder || target?.identity !== identity) return undefined
  return { identity, embedder: withLength(embedder, target.dims) }
}

const bundledIdentity = toIdentity({
  ...{ model: 'static-en-256', dims: 256, quantisation: 'int8', promptFormat: 'plain' },
})

async function settleOrRead(
  needs: EmbeddingsNeeds,
  embedder: Embedder | undefined,
): Promise<Pick<State, 'models' | 'failure'>> {
  try {
    const models = embedder
      ? await settleModel(needs, await embedder.identity())
      : await readModels(needs.db)
    return { models, failure: undefined }
  } catch (failure) {
    if (!(failure instanceof EmbeddingFailure)) throw failure
    return { models: await readModels(needs.db), failure }
  }
}
