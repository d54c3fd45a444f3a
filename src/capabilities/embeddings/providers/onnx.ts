import { basename } from 'node:path'
import type { Host } from '../../../kernel/host/host.ts'
import { createTaskThread } from '../../../kernel/threads/task-thread.ts'
import type { Embedder, ModelIdentity } from '../embedder.ts'
import type { Fuse } from '../fuse.ts'
import type * as onnx from '../threads/onnx-worker.ts'
import { toUnitVector } from '../vector.ts'
import type { PromptFormat } from './prompt-format.ts'

/** Reading a model takes longer than asking it, by so much at most. */
const readingTakes = 4
const restMs = 300_000

interface OnnxNeeds {
  readonly host: Host
  /** With `model.onnx` and `tokenizer.json`. */
  readonly folder: string
  readonly promptFormat: PromptFormat
  readonly timeoutMs: number
  /** Of this folder, as long as the service runs. */
  readonly fuse: Fuse
}

/**
 * A model in a folder of this machine, run in a thread by the package `onnxruntime-node`, which is
 * the user's to install. A thread that does not answer in time is ended and not started again.
 */
export function createOnnxEmbedder(needs: OnnxNeeds): Embedder {
  const { folder, promptFormat, timeoutMs } = needs
  const model = basename(folder)
  const { ask, close } = createAsker(needs)
  const learned: { dims?: number } = {}
  const known = { model, quantisation: 'onnx', promptFormat: promptFormat.name }
  const identity = async (): Promise<ModelIdentity> => {
    learned.dims ??= (await ask(['probe'], timeoutMs * readingTakes))[0]?.length ?? 0
    return { ...known, dims: learned.dims }
  }
  return {
    ...{ provider: 'onnx', model, baseUrl: null, known, identity, close },
    ...{ atOnce: 4, batchSize: 1 },
    embed: async ({ texts, kind }) => {
      const { dims } = await identity()
      const written = texts.map((text) => promptFormat[kind] + text)
      const vectors = await ask(written, timeoutMs)
      return vectors.map((vector) => {
        const whole = toUnitVector(vector, dims)
        return whole && { whole, passages: [] }
      })
    },
  }
}

function createAsker({ host, folder, fuse }: OnnxNeeds) {
  const module = '../threads/onnx-worker'
  const thread = createTaskThread<typeof onnx>({ host, from: import.meta.url, module, restMs })
  const closing = new AbortController()
  return {
    ask: (texts: readonly string[], withinMs: number): Promise<onnx.OnnxAnswer> =>
      fuse.run(() => thread.run('embed', { folder, texts }, withinMs), closing.signal),
    close: async () => {
      closing.abort()
      await thread.close()
    },
  }
}
