import type { Host } from '../../../kernel/host/host.ts'
import { createTaskThread } from '../../../kernel/threads/task-thread.ts'
import {
  createStaticModel,
  type ModelParts,
  type StaticModel,
  splitPassages,
} from '../../../static-model/index.ts'
import { type Embedded, type Embedder, EmbeddingFailure } from '../embedder.ts'
import { createFuse } from '../fuse.ts'
import type * as elsewhere from '../threads/static-worker.ts'
import { embedText, toEmbedded } from './embed-text.ts'

/** Characters that take a millisecond where the words are of the rarest kind. */
const longestAtOnce = 2000
/** Above this a thread is worth its start. */
const longestHere = 32_000
const timeoutMs = 60_000
const restMs = 10_000

interface StaticNeeds {
  readonly host: Host
  readonly readModel: () => Promise<ModelParts>
}

interface Read {
  readonly parts: ModelParts
  readonly model: StaticModel
}

/**
 * The model that comes with the package; a long text is embedded in passages as well. The thread for
 * the longest is not started again once it was late, and all others go on without.
 */
export function createStaticEmbedder({ host, readModel }: StaticNeeds): Embedder {
  const held: { read?: Read } = {}
  const read = async (): Promise<Read> => {
    held.read ??= await readOrFail(readModel)
    return held.read
  }
  const module = '../threads/static-worker'
  const thread = createTaskThread<typeof elsewhere>({ host, from: import.meta.url, module, restMs })
  const fuse = createFuse()
  const closing = new AbortController()
  const embedOne = async (text: string): Promise<Embedded | undefined> => {
    const { parts, model } = await read()
    return text.length > longestHere
      ? await fuse.run(() => thread.run('embed', { parts, text }, timeoutMs), closing.signal)
      : await embedWithPauses(host, model, text)
  }
  return {
    ...{ provider: 'static', model: 'static-en-256', baseUrl: null },
    ...{ atOnce: Number.POSITIVE_INFINITY, batchSize: 64 },
    identity: async () => ({
      ...{ model: 'static-en-256', dims: (await read()).model.dims },
      ...{ quantisation: 'int8', promptFormat: 'plain' },
    }),
    embed: async ({ texts }) => {
      const made: (Embedded | undefined)[] = []
      for (const text of texts) made.push(await embedOne(text))
      return made
    },
    embedAtOnce: (text) =>
      held.read && text.length <= longestAtOnce
        ? { made: embedText(held.read.model, text) }
        : undefined,
    lacks: () => {
      const why = fuse.blown()
      return why && `texts of more than ${longestHere} characters: ${why}`
    },
    close: async () => {
      closing.abort()
      await thread.close()
    },
  }
}

/** The loop is free again after each millisecond or so. */
async function embedWithPauses(
  host: Host,
  { dims, sum, tokenise }: StaticModel,
  text: string,
): Promise<Embedded | undefined> {
  const parts: Float64Array[] = []
  let since = 0
  for (const passage of splitPassages(text)) {
    parts.push(sum(tokenise(passage)))
    since += passage.length
    if (since < longestAtOnce) continue
    await host.sleep(0)
    since = 0
  }
  return toEmbedded(parts, dims)
}

async function readOrFail(readModel: () => Promise<ModelParts>): Promise<Read> {
  try {
    const parts = await readModel()
    return { parts, model: createStaticModel(parts) }
  } catch (cause) {
    throw new EmbeddingFailure('provider', 'the bundled model cannot be read', { cause })
  }
}
