import { crc32 } from 'node:zlib'
import type { Pieces } from '../pieces/pieces.ts'
import { readTerms } from './terms.ts'
import { countWords, readTraits } from './traits.ts'

const sample =
  "The cats' naïve studies of boxes stopped; she’s making 3 tables in v1.2 我喜欢猫 แมว"

/** Another number when texts are read by other rules: what was made by those is made anew. */
export function numberOfRules(pieces: Pick<Pieces, 'read'>): number {
  const read = [readTerms(sample), readTraits(sample), countWords(sample), pieces.read(sample)]
  return crc32(JSON.stringify(read))
}
