import { crc32 } from 'node:zlib'
import {
  createStaticModel,
  type ModelParts,
  readStaticModel,
  type StaticModel,
} from '../../static-model/index.ts'
import { quantizeQuery } from '../quantize.ts'
import { countWords, readTraits } from '../text/query.ts'
import { readTerms } from '../text/terms.ts'
import { createSimilarityMemory } from './similarity-memory.ts'

/** The maximum number of query tokens. */
export const maxQueryTokens = 48

export type TokenIds = Uint16Array | Uint32Array

/** Similarity of word-piece tokens by the cosine of their static vectors. */
export interface TokenSimilarity {
  /**
   * Calls back for each text (a list of distinct tokens) with its maximum similarity to each query
   * token, 0 to `maxSimilarity`. The array is valid until the next call.
   */
  compare(queryTokens: readonly number[], texts: readonly TokenIds[], onText: OnText): void
  /** Whether the model has a vector for the token. */
  isKnown(token: number): boolean
}

type OnText = (text: number, similarities: Uint8Array) => void
type Model = Pick<StaticModel, 'dims' | 'pieces' | 'direction'>

/** Rows are loaded into the kernel memory on first use. */
export function createTokenSimilarity({ dims, pieces, direction }: Model): TokenSimilarity {
  // Length 0 means unknown: few tokens are ever used.
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
  /** Returns the index of the first text that did not fit. */
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
  /** Compares a batch after `listedCount` tokens; returns the new count. */
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

/** Texts as word-piece tokens of the static model. */
export interface WordPieceTokens {
  readonly similarity: TokenSimilarity
  tokenize(text: string): readonly number[]
}

/** Only the beginning of a longer text is compared. */
const maxTextLength = 24_000

/** Loads the bundled model, independent of the embedding model. */
export async function loadWordPieces(): Promise<WordPieceTokens> {
  return createWordPieces(await readStaticModel())
}

export function createWordPieces(parts: ModelParts): WordPieceTokens {
  const model = createStaticModel(parts)
  const similarity = createTokenSimilarity(model)
  return {
    similarity,
    tokenize: (text) => model.tokenise(text.slice(0, maxTextLength)).filter(similarity.isKnown),
  }
}

const sample =
  "The cats' naïve studies of boxes stopped; she’s making 3 tables in v1.2 我喜欢猫 แมว λόγος I have never"

/** Changes when texts are analyzed differently; indexes of another analyzer are rebuilt. */
export function analyzerFingerprint(wordPieces: Pick<WordPieceTokens, 'tokenize'>): number {
  const tokenize = [
    readTerms(sample),
    readTraits(sample),
    countWords(sample),
    wordPieces.tokenize(sample),
  ]
  return crc32(JSON.stringify(tokenize))
}
