import {
  createStaticModel,
  type ModelParts,
  readStaticModel,
} from '../../capabilities/embeddings/static-model/index.ts'
import { createPieceLikeness, type PieceLikeness } from './piece-likeness.ts'

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
