import type { StaticModel } from '../../capabilities/embeddings/static-model/index.ts'
import { quantizeQuery } from '../quantize.ts'
import { createSimilarityMemory } from './similarity-memory.ts'

/** So many pieces may be asked at once. */
export const maxQueryTokens = 48

export type TokenIds = Uint16Array | Uint32Array

/** How much word pieces mean the same. */
export interface TokenSimilarity {
  /**
   * Tells of each text, which is a list of distinct pieces, how like the likest of them is to each
   * piece that is asked, from 0 to `alike`; 0 for what points the other way. What is told is good
   * until the next text.
   */
  compare(queryTokens: readonly number[], texts: readonly TokenIds[], onText: OnText): void
  /** Whether it is known what a piece means. */
  isKnown(token: number): boolean
}

type OnText = (text: number, similarities: Uint8Array) => void
type Model = Pick<StaticModel, 'dims' | 'pieces' | 'direction'>

/** Only pieces of the texts are compared, and brought where that is done when a text first has them. */
export function createTokenSimilarity({ dims, pieces, direction }: Model): TokenSimilarity {
  // A length of 0 is not known yet: few pieces are ever asked about.
  const lengths = new Float32Array(pieces)
  const lengthAt = (token: number) => {
    const length = lengths[token] || lengthOf(direction(token))
    lengths[token] = length
    return length
  }
  const memory = createSimilarityMemory({ dims, pieces, queries: maxQueryTokens })
  const { rows, scales, queries, queryScales, batch, listed, largest, stride } = memory
  const isLoaded = new Uint8Array(pieces)

  const loadRow = (token: number) => {
    if (isLoaded[token] === 1) return
    isLoaded[token] = 1
    rows.set(direction(token), token * stride)
    scales[token] = 1 / (lengthAt(token) || 1)
  }
  /** Gives the text behind the last for which there was room. */
  const fillBatch = (texts: readonly TokenIds[], from: number, ends: number[]) => {
    let [next, end] = [from, 0]
    for (; next < texts.length; next++) {
      const text = texts[next] as TokenIds
      if (end + text.length > batch.length) break
      batch.set(text, end)
      end += text.length
      ends[next] = end
    }
    return next
  }
  const loadQueries = (queryTokens: readonly number[]) => {
    for (const [at, token] of queryTokens.entries()) {
      const length = lengthAt(token) || 1
      const unit = new Float32Array(direction(token))
      for (let at = 0; at < dims; at++) unit[at] = (unit[at] as number) / length
      queryScales[at] = quantizeQuery(unit, queries.subarray(at * stride, (at + 1) * stride))
    }
  }
  /** Of texts before so many pieces are known; gives how many are now. */
  const compareBatch = (queryTokens: readonly number[], end: number, listedCount: number) => {
    const newCount = memory.list(end, listedCount)
    for (let at = listedCount; at < newCount; at++) loadRow(listed[at] as number)
    memory.compare(listedCount, newCount, queryTokens.length)
    memory.setExactMatches(queryTokens, newCount)
    return newCount
  }
  return {
    compare: (queryTokens, texts, onText) => {
      loadQueries(queryTokens)
      const ends: number[] = []
      let listedCount = 0
      for (let from = 0; from < texts.length; ) {
        const to = fillBatch(texts, from, ends)
        listedCount = compareBatch(queryTokens, ends[to - 1] ?? 0, listedCount)
        let start = 0
        for (let at = from; at < to; at++) {
          memory.takeLargest(start, ends[at] as number, queryTokens.length)
          onText(at, largest)
          start = ends[at] as number
        }
        from = to
      }
    },
    isKnown: (token) => lengthAt(token) > 0,
  }
}

function lengthOf(row: Int8Array): number {
  let squares = 0
  for (const value of row) squares += value * value
  return Math.sqrt(squares)
}
