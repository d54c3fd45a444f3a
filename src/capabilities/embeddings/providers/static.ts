import type { Host } from '../../../kernel/host/host.ts'
import { type Embedded, type Embedder, EmbeddingFailure } from '../embedder.ts'
import { type StaticModel, splitPassages } from '../static-model/index.ts'
import { toUnitVector } from '../vector.ts'

/** Some milliseconds of work. */
const passagesAtOnce = 8

interface StaticNeeds {
  readonly host: Host
  /** Given once it is read; the loop is not held up by it. */
  readonly model: () => Promise<StaticModel>
}

/** The model that comes with the package; a long text is embedded in passages as well. */
export function createStaticEmbedder({ host, model }: StaticNeeds): Embedder {
  const embedOne = async (text: string): Promise<Embedded | undefined> => {
    const { dims, sum, tokenise } = await loaded(model)
    const all = new Float64Array(dims)
    const passages: (Float32Array | undefined)[] = []
    for (const passage of splitPassages(text)) {
      if (passages.length % passagesAtOnce === passagesAtOnce - 1) await host.sleep(0)
      const part = sum(tokenise(passage))
      for (const [at, value] of part.entries()) all[at] = (all[at] ?? 0) + value
      passages.push(toUnitVector(part, dims))
    }
    const whole = toUnitVector(all, dims)
    return whole && { whole, passages: passages.length > 1 ? passages : [] }
  }
  return {
    ...{ provider: 'static', model: 'static-en-256', baseUrl: null },
    ...{ atOnce: Number.POSITIVE_INFINITY, batchSize: 64 },
    identity: async () => ({
      ...{ model: 'static-en-256', dims: (await loaded(model)).dims },
      ...{ quantisation: 'int8', promptFormat: 'plain' },
    }),
    embed: async ({ texts }) => {
      const made: (Embedded | undefined)[] = []
      for (const text of texts) made.push(await embedOne(text))
      return made
    },
    close: () => Promise.resolve(),
  }
}

async function loaded(model: () => Promise<StaticModel>): Promise<StaticModel> {
  try {
    return await model()
  } catch (cause) {
    throw new EmbeddingFailure('provider', 'the bundled model cannot be read', { cause })
  }
}
