import { basename } from 'node:path'
import type { Host } from '../../../kernel/host/host.ts'
import { createTaskThread } from '../../../kernel/threads/task-thread.ts'
import type { TimeoutLatch } from '../breaker.ts'
import type { Embedder, ModelIdentity } from '../embedder.ts'
import type * as onnx from '../threads/onnx-worker.ts'
import { toUnitVector } from '../vector.ts'
import type { PromptFormat } from './protocol.ts'

/** Loading a model may take this many times the call time-out. */
const loadTimeoutFactor = 4
const idleTimeoutMs = 300_000

interface OnnxNeeds {
  readonly host: Host
  /** With `model.onnx` and `tokenizer.json`. */
  readonly folder: string
  readonly promptFormat: PromptFormat
  readonly timeoutMs: number
  /** One latch for each folder, until restart. */
  readonly latch: TimeoutLatch
}

/**
 * Runs a local ONNX model in a worker thread with `onnxruntime-node`, which the user installs.
 * A thread that times out is terminated and not started again.
 */
export function createOnnxEmbedder(needs: OnnxNeeds): Embedder {
  const { folder, promptFormat, timeoutMs } = needs
  const model = basename(folder)
  const { runThread, close } = createThreadClient(needs)
  const cache: { dims?: number } = {}
  const known = { model, quantisation: 'onnx', promptFormat: promptFormat.name }
  const identity = async (): Promise<ModelIdentity> => {
    cache.dims ??= (await runThread(['probe'], timeoutMs * loadTimeoutFactor))[0]?.length ?? 0
    return { ...known, dims: cache.dims }
  }
  return {
    provider: 'onnx',
    model,
    baseUrl: null,
    knownIdentity: known,
    identity,
    close,
    concurrency: 4,
    batchSize: 1,
    embed: async ({ texts, kind }) => {
      const { dims } = await identity()
      const inputs = texts.map((text) => promptFormat[kind] + text)
      const vectors = await runThread(inputs, timeoutMs)
      return vectors.map((vector) => {
        const whole = toUnitVector(vector, dims)
        return whole && { whole, passages: [] }
      })
    },
  }
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
    close: async () => {
      closing.abort()
      await thread.close()
    },
  }
}
