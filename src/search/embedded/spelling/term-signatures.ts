import { createGrowableArray, push } from '../growable-array.ts'
import type { Vocabulary } from '../postings/postings.ts'

/**
 * For each term of a vocabulary its length and the set of its letters, 5 bytes a term. A scan of
 * them leaves few terms for the edit distance, and new terms only append.
 */
export interface TermSignatures {
  /** Codes of terms that may lie within the distance of the word. */
  listNear(word: string, maxDistance: number): number[]
}

const maxLength = 255
const letterBits = 32

export function createTermSignatures(vocabulary: Vocabulary): TermSignatures {
  const letters = createGrowableArray((length) => new Uint32Array(length))
  const lengths = createGrowableArray((length) => new Uint8Array(length))
  const catchUp = () => {
    for (let code = lengths.length; code < vocabulary.count(); code++) {
      const term = vocabulary.termAt(code)
      push(letters, toLetterSet(term))
      push(lengths, Math.min(maxLength, term.length))
    }
  }
  return {
    listNear: (word, maxDistance) => {
      catchUp()
      const [set, length] = [toLetterSet(word), word.length]
      const near: number[] = []
      for (let code = 0; code < lengths.length; code++) {
        if (Math.abs((lengths.values[code] as number) - length) > maxDistance) continue
        // Each edit adds one letter to the set at most and removes one at most.
        if (countBits((letters.values[code] as number) ^ set) <= 2 * maxDistance) near.push(code)
      }
      return near
    },
  }
}

/** Letters of other scripts share bits, which leaves more terms and misses none. */
function toLetterSet(word: string): number {
  let set = 0
  for (let at = 0; at < word.length; at++) set |= 1 << (word.charCodeAt(at) % letterBits)
  return set >>> 0
}

function countBits(value: number): number {
  let pairs = value - ((value >>> 1) & 0x55555555)
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
