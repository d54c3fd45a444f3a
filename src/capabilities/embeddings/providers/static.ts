import type { Host } from '../../../kernel/host/host.ts'
import { type Embedded, type Embedder, EmbeddingFailure } from '../embedder.ts'
import { type StaticModel, splitPassages } from '../static-model/index.ts'
import { toUnitVector } from '../vector.ts'

/** Characters that take a millisecond where the words are of the rarest kind. */
const longestAtOnce = 2000

interface StaticNeeds {
  readonly host: Host
  /** Given once it is read; the loop is not held up by it. */
  readonly model: () => Promise<StaticModel>
}

/** The model that comes with the package; a long text is embedded in passages as well. */
export function createStaticEmbedder({ host, model }: StaticNeeds): Embedder {
  const read: { model?: StaticModel } = {}
  const readOnce = async () => {
    read.model ??= await loaded(model)
    return read.model
  }
  const embedLong = async (text: string): Promise<Embedded | undefined> => {
    const { dims, sum, tokenise } = await readOnce()
    const parts: Float64Array[] = []
    let pausedAt = 0
    for (const passage of splitPassages(text)) {
      parts.push(sum(tokenise(passage)))
      pausedAt += passage.length
      if (pausedAt < longestAtOnce) continue
      await host.sleep(0)
      pausedAt = 0
    }
    return toEmbedded(parts, dims)
  }
  return {
    ...{ provider: 'static', model: 'static-en-256', baseUrl: null },
    ...{ atOnce: Number.POSITIVE_INFINITY, batchSize: 64 },
    identity: async () => ({
      ...{ model: 'static-en-256', dims: (await readOnce()).dims },
      ...{ quantisation: 'int8', promptFormat: 'plain' },
    }),
    embed: async ({ texts }) => {
      const made: (Embedded | undefined)[] = []
      for (const text of texts) made.push(await embedLong(text))
      return made
    },
    embedAtOnce: (text) => {
      if (!read.model || text.length > longestAtOnce) return undefined
      const { dims, sum, tokenise } = read.model
      const parts = splitPassages(text).map((passage) => sum(tokenise(passage)))
      return { made: toEmbedded(parts, dims) }
    },
    close: () => Promise.resolve(),
  }
}

/** The whole is what its passages are together; one that is alone is the whole. */
function toEmbedded(parts: readonly Float64Array[], dims: number): Embedded | undefined {
  const [first, ...others] = parts
  if (!first) return undefined
  const all = Float64Array.from(first)
  for (const part of others)
    for (let at = 0; at < dims; at += 1) all[at] = (all[at] ?? 0) + (part[at] ?? 0)
  const whole = toUnitVector(all, dims)
  const passages = others.length > 0 ? parts.map((part) => toUnitVector(part, dims)) : []
  return whole && { whole, passages }
}

async function loaded(model: () => Promise<StaticModel>): Promise<StaticModel> {
  try {
    return await model()
  } catch (cause) {
    throw new EmbeddingFailure('provider', 'the bundled model cannot be read', { cause })
  }
}
