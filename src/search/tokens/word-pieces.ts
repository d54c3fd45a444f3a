import { crc32 } from 'node:zlib'
import {
  createStaticModel,
  type ModelParts,
  readStaticModel,
} from '../../capabilities/embeddings/static-model/index.ts'
import { readTerms } from '../text/terms.ts'
import { countWords, readTraits } from '../text/traits.ts'
import { createPieceLikeness, type PieceLikeness } from './token-similarity.ts'

/** Texts as pieces of words, of which a model knows what they mean. */
export interface Pieces {
  readonly likeness: PieceLikeness
  read(text: string): readonly number[]
}

/** Of a longer text only the beginning is compared, which is 24,000 characters. */
const longestText = 24_000

/** Takes what comes with the package, whatever model makes the vectors. */
export async function loadPieces(): Promise<Pieces> {
  return createPieces(await readStaticModel())
}

export function createPieces(parts: ModelParts): Pieces {
  const model = createStaticModel(parts)
  const likeness = createPieceLikeness(model)
  return {
    likeness,
    read: (text) => model.tokenise(text.slice(0, longestText)).filter(likeness.knows),
  }
}

const sample =
  "The cats' naïve studies of boxes stopped; she’s making 3 tables in v1.2 我喜欢猫 แมว"

/** Another number when texts are read by other rules: what was made by those is made anew. */
export function numberOfRules(pieces: Pick<Pieces, 'read'>): number {
  const read = [readTerms(sample), readTraits(sample), countWords(sample), pieces.read(sample)]
  return crc32(JSON.stringify(read))
}
