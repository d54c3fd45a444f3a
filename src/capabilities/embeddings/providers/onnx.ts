import { basename } from 'node:path'
import type { Host } from '../../../kernel/host/host.ts'
import { createTaskThread, TooLate } from '../../../kernel/threads/task-thread.ts'
import { type Embedder, EmbeddingFailure, type ModelIdentity } from '../embedder.ts'
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
  const identity = async (): Promise<ModelIdentity> => {
    learned.dims ??= (await ask(['probe'], timeoutMs * readingTakes))[0]?.length ?? 0
    return { model, dims: learned.dims, quantisation: 'onnx', promptFormat: promptFormat.name }
  }
  return {
    ...{ provider: 'onnx', model, baseUrl: null, identity, close },
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

function createAsker({ host, folder }: OnnxNeeds) {
  const module = '../threads/onnx-worker'
  const thread = createTaskThread<typeof onnx>({ host, from: import.meta.url, module, restMs })
  const ended: { why?: string } = {}
  return {
    ask: async (texts: readonly string[], withinMs: number): Promise<onnx.OnnxAnswer> => {
      if (ended.why !== undefined) throw new EmbeddingFailure('provider', ended.why)
      try {
        return await thread.run('embed', { folder, texts }, withinMs)
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error)
        if (error instanceof TooLate) ended.why = `${said}: not asked again before a restart`
        throw new EmbeddingFailure('provider', ended.why ?? said, { cause: error })
      }
    },
    close: () => thread.close(),
  }
}
