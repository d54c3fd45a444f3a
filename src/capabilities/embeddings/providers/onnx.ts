import { basename } from 'node:path'
import type { Host } from '../../../kernel/host/host.ts'
import { createTaskThread } from '../../../kernel/threads/task-thread.ts'
import { splitPassages } from '../../../static-model/index.ts'
import type { TimeoutLatch } from '../breaker.ts'
import type { Embedded, Embedder, ModelIdentity } from '../embedder.ts'
import type { ModelSettings } from '../local-models/model-settings.ts'
import type * as onnx from '../threads/onnx-worker.ts'
import { toEmbedded, toUnitVector } from '../vector.ts'
import { type PromptFormat, promptFormats } from './protocol.ts'

/** Loading a model may take this many times the call time-out. */
const loadTimeoutFactor = 4
const idleTimeoutMs = 300_000
/** Texts that have nothing in common: their cosine is the lowest that the model gives. */
const unrelatedTexts = [
  'The invoice is due on Friday.',
  'A heron stood in the shallow water.',
  'She tuned the old piano in the hall.',
]

interface OnnxNeeds {
  readonly host: Host
  /** With `model.onnx` and `tokenizer.json`. */
  readonly folder: string
  /** Default: the prefixes of the model's own configuration, then those that its name implies. */
  readonly promptFormat: PromptFormat | undefined
  readonly impliedFormat: PromptFormat
  readonly timeoutMs: number
  /** One latch for each folder, until restart. */
  readonly latch: TimeoutLatch
}

/**
 * Runs a local ONNX model in a worker thread with `onnxruntime-node`, which the user installs.
 * A thread that times out is terminated and not started again.
 */
export function createOnnxEmbedder(needs: OnnxNeeds): Embedder {
  const { folder, promptFormat, impliedFormat, timeoutMs } = needs
  const model = basename(folder)
  const { runThread, describe, close } = createThreadClient(needs)
  const guess = promptFormat ?? impliedFormat
  const known = { model, quantisation: 'onnx', promptFormat: guess.name }
  const cache: { loadedModel?: LoadedModel } = {}
  const load = async (): Promise<LoadedModel> => {
    if (cache.loadedModel) return cache.loadedModel
    const settings = await describe(timeoutMs)
    const format = promptFormat ?? toPromptFormat(settings) ?? guess
    const texts = unrelatedTexts.map((text) => format.document + text)
    const vectors = await runThread(texts, timeoutMs * loadTimeoutFactor)
    const dims = vectors[0]?.length ?? 0
    const quantisation = settings.pooling === 'mean' ? 'onnx' : `onnx-${settings.pooling}`
    const identity = { model, quantisation, promptFormat: format.name, dims }
    cache.loadedModel = { identity, format, baseCosine: meanCosine(vectors) }
    return cache.loadedModel
  }
  return {
    provider: 'onnx',
    model,
    baseUrl: null,
    knownIdentity: known,
    baseCosine: () => cache.loadedModel?.baseCosine,
    identity: async () => (await load()).identity,
    close,
    concurrency: 4,
    batchSize: 1,
    embed: async ({ texts, kind }) => {
      const { identity, format } = await load()
      const { dims } = identity
      // One passage in a call: a query waits for one passage at most, and each has the whole time-out.
      const embedPassage = async (passage: string) => {
        const [vector = []] = await runThread([format[kind] + passage], timeoutMs)
        return Float64Array.from(toUnitVector(vector, dims) ?? new Float64Array(dims))
      }
      const embeddings: (Embedded | undefined)[] = []
      for (const text of texts) {
        const parts: Float64Array[] = []
        const passages = kind === 'document' ? splitPassages(text) : [text]
        for (const passage of passages) parts.push(await embedPassage(passage))
        embeddings.push(toEmbedded(parts, dims))
      }
      return embeddings
    },
  }
}

interface LoadedModel {
  readonly identity: ModelIdentity
  readonly format: PromptFormat
  readonly baseCosine: number
}

/** Prefixes of a known format have its name, so that its vectors stay comparable. */
function toPromptFormat({ prefixes }: ModelSettings): PromptFormat | undefined {
  if (!prefixes) return undefined
  const { query, document } = prefixes
  const known = Object.values(promptFormats).find(
    (format) => format.query === query && format.document === document,
  )
  return known ?? { name: `${query}|${document}`, query, document }
}

/** The mean cosine of all pairs, at least 0 and below 1. */
function meanCosine(vectors: readonly Float32Array[]): number {
  const units = vectors.map((vector) => toUnitVector(vector, vector.length))
  const cosines = units.flatMap((one, index) =>
    units.slice(index + 1).map((other) => (one && other ? dotProduct(one, other) : 0)),
  )
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length
  return Math.min(0.95, Math.max(0, mean))
}

function dotProduct(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] as number), 0)
}

function createThreadClient({ host, folder, latch }: OnnxNeeds) {
  const module = '../threads/onnx-worker'
  const thread = createTaskThread<typeof onnx>({
    host,
    from: import.meta.url,
    module,
    idleTimeoutMs,
  })
  const closing = new AbortController()
  return {
    runThread: (texts: readonly string[], callTimeoutMs: number): Promise<onnx.OnnxResult> =>
      latch.run(() => thread.run('embed', { folder, texts }, callTimeoutMs), closing.signal),
    describe: (callTimeoutMs: number): Promise<ModelSettings> =>
      latch.run(() => thread.run('describe', { folder }, callTimeoutMs), closing.signal),
    close: async () => {
      closing.abort()
      await thread.close()
    },
  }
}
