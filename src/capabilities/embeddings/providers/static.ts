import type { Host } from '../../../kernel/host/host.ts'
import { createTaskThread } from '../../../kernel/threads/task-thread.ts'
import {
  createStaticModel,
  type ModelParts,
  type StaticModel,
  splitPassages,
} from '../../../static-model/index.ts'
import { createTimeoutLatch } from '../breaker.ts'
import { type Embedded, type Embedder, EmbeddingFailure } from '../embedder.ts'
import type * as worker from '../threads/static-worker.ts'
import { embedText, toEmbedded } from '../vector.ts'

/** Characters that take about 1 ms in the worst case. */
const maxInlineLength = 2000
/** Longer texts, and batches of texts, are embedded in a worker thread. */
const maxMainThreadLength = 32_000
const maxMainThreadBatch = 8_000
const timeoutMs = 60_000
const idleTimeoutMs = 10_000

interface StaticNeeds {
  readonly host: Host
  readonly readModel: () => Promise<ModelParts>
}

interface LoadedModel {
  readonly parts: ModelParts
  readonly model: StaticModel
}

/**
 * The bundled model. Long texts also get passage vectors. If the worker thread times out, only the
 * longest texts fail.
 */
export function createStaticEmbedder({ host, readModel }: StaticNeeds): Embedder {
  const state: { loadedModel?: LoadedModel } = {}
  const load = async (): Promise<LoadedModel> => {
    state.loadedModel ??= await loadModel(readModel)
    return state.loadedModel
  }
  const module = '../threads/static-worker'
  const thread = createTaskThread<typeof worker>({
    host,
    from: import.meta.url,
    module,
    idleTimeoutMs,
  })
  const latch = createTimeoutLatch()
  const closing = new AbortController()
  const embedInThread = async (texts: readonly string[]) => {
    const { parts } = await load()
    return latch.run(() => thread.run('embed', { parts, texts }, timeoutMs), closing.signal)
  }
  const embedOne = async (text: string): Promise<Embedded | undefined> => {
    const { model } = await load()
    return text.length > maxMainThreadLength
      ? (await embedInThread([text]))[0]
      : await embedWithPauses(host, model, text)
  }
  return {
    provider: 'static',
    kind: 'static',
    model: 'static-en-256',
    baseUrl: null,
    concurrency: Number.POSITIVE_INFINITY,
    batchSize: 64,
    identity: async () => ({
      model: 'static-en-256',
      dims: (await load()).model.dims,
      quantisation: 'int8',
      promptFormat: 'plain',
    }),
    embed: async ({ texts }) => {
      const length = texts.reduce((sum, text) => sum + text.length, 0)
      const isBatch = texts.length > 1 && length > maxMainThreadBatch
      if (isBatch && latch.tripped() === undefined) return embedInThread(texts)
      const embeddings: (Embedded | undefined)[] = []
      for (const text of texts) embeddings.push(await embedOne(text))
      return embeddings
    },
    embedInline: (text) =>
      state.loadedModel && text.length <= maxInlineLength
        ? { embedding: embedText(state.loadedModel.model, text) }
        : undefined,
    limitation: () => {
      const reason = latch.tripped()
      return reason && `texts of more than ${maxMainThreadLength} characters: ${reason}`
    },
    close: async () => {
      closing.abort()
      await thread.close()
    },
  }
}

/** Yields to the event loop about every millisecond. */
async function embedWithPauses(
  host: Host,
  { dims, sum, tokenise }: StaticModel,
  text: string,
): Promise<Embedded | undefined> {
  const parts: Float64Array[] = []
  let sincePause = 0
  for (const passage of splitPassages(text)) {
    parts.push(sum(tokenise(passage)))
    sincePause += passage.length
    if (sincePause < maxInlineLength) continue
    await host.sleep(0)
    sincePause = 0
  }
  return toEmbedded(parts, dims)
}

async function loadModel(readModel: () => Promise<ModelParts>): Promise<LoadedModel> {
  try {
    const parts = await readModel()
    return { parts, model: createStaticModel(parts) }
  } catch (cause) {
    throw new EmbeddingFailure('provider', 'the bundled model cannot be read', { cause })
  }
}
