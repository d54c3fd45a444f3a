import { crc32 } from 'node:zlib'
import { createStaticModel, type ModelParts, readStaticModel } from '../../static-model/index.ts'
import { readTerms } from '../text/terms.ts'
import { countWords, readTraits } from '../text/traits.ts'
import { createTokenSimilarity, type TokenSimilarity } from './token-similarity.ts'

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
  "The cats' naïve studies of boxes stopped; she’s making 3 tables in v1.2 我喜欢猫 แมว"

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
