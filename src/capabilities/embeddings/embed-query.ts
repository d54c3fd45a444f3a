import { EmbeddingFailure } from './embedder.ts'
import type { Runtime } from './runtime.ts'

export interface QueryVector {
  readonly identity: string
  readonly vector: Float32Array
}

/** Undefined when there is none in time; never throws. */
export async function embedQuery(
  { needs, makers, underWay }: Runtime,
  text: string,
): Promise<QueryVector | undefined> {
  if (makers.configured() === undefined) return undefined
  const now = makers.forQueries()
  const atOnce = now?.embedder.embedAtOnce?.(text)
  if (now && atOnce) return atOnce.made && { identity: now.identity, vector: atOnce.made.whole }
  return await underWay.within(needs.config().budget_ms, async () => {
    await makers.ready()
    const maker = makers.forQueries()
    if (!maker || underWay.count() > maker.embedder.atOnce) return undefined
    try {
      const { identity, embedder } = maker
      const { signal } = underWay
      const [made] = await embedder.embed({ texts: [text], kind: 'query', signal })
      return made && { identity, vector: made.whole }
    } catch (error) {
      const level = error instanceof EmbeddingFailure ? 'debug' : 'warn'
      needs.log[level]({ err: error }, 'a question was not embedded')
      return undefined
    }
  })
}
