import type { StaticModel } from '../../capabilities/embeddings/static-model/index.ts'
import { quantiseQuery } from '../quantize.ts'
import { createLikenessMemory } from './similarity-memory.ts'

/** So many pieces may be asked at once. */
export const mostAsked = 48

export type PieceNumbers = Uint16Array | Uint32Array

/** How much word pieces mean the same. */
export interface PieceLikeness {
  /**
   * Tells of each text, which is a list of distinct pieces, how like the likest of them is to each
   * piece that is asked, from 0 to `alike`; 0 for what points the other way. What is told is good
   * until the next text.
   */
  compare(asked: readonly number[], texts: readonly PieceNumbers[], tell: Tell): void
  /** Whether it is known what a piece means. */
  knows(piece: number): boolean
}

type Tell = (text: number, likest: Uint8Array) => void
type Model = Pick<StaticModel, 'dims' | 'pieces' | 'direction'>

/** Only pieces of the texts are compared, and brought where that is done when a text first has them. */
export function createPieceLikeness({ dims, pieces, direction }: Model): PieceLikeness {
  // A length of 0 is not known yet: few pieces are ever asked about.
  const lengths = new Float32Array(pieces)
  const lengthAt = (piece: number) => {
    const length = lengths[piece] || lengthOf(direction(piece))
    lengths[piece] = length
    return length
  }
  const memory = createLikenessMemory({ dims, pieces, queries: mostAsked })
  const { rows, scales, queries, queryScales, held, listed, largest, stride } = memory
  const isThere = new Uint8Array(pieces)

  const bring = (piece: number) => {
    if (isThere[piece] === 1) return
    isThere[piece] = 1
    rows.set(direction(piece), piece * stride)
    scales[piece] = 1 / (lengthAt(piece) || 1)
  }
  /** Gives the text behind the last for which there was room. */
  const hold = (texts: readonly PieceNumbers[], from: number, ends: number[]) => {
    let [next, end] = [from, 0]
    for (; next < texts.length; next++) {
      const text = texts[next] as PieceNumbers
      if (end + text.length > held.length) break
      held.set(text, end)
      end += text.length
      ends[next] = end
    }
    return next
  }
  const prepare = (asked: readonly number[]) => {
    for (const [at, piece] of asked.entries()) {
      const length = lengthAt(piece) || 1
      const unit = new Float32Array(direction(piece))
      for (let at = 0; at < dims; at++) unit[at] = (unit[at] as number) / length
      queryScales[at] = quantiseQuery(unit, queries.subarray(at * stride, (at + 1) * stride))
    }
  }
  /** Of texts before so many pieces are known; gives how many are now. */
  const compareHeld = (asked: readonly number[], end: number, known: number) => {
    const now = memory.list(end, known)
    for (let at = known; at < now; at++) bring(listed[at] as number)
    memory.compare(known, now, asked.length)
    memory.setAlike(asked, now)
    return now
  }
  return {
    compare: (asked, texts, tell) => {
      prepare(asked)
      const ends: number[] = []
      let known = 0
      for (let from = 0; from < texts.length; ) {
        const to = hold(texts, from, ends)
        known = compareHeld(asked, ends[to - 1] ?? 0, known)
        let start = 0
        for (let at = from; at < to; at++) {
          memory.takeLargest(start, ends[at] as number, asked.length)
          tell(at, largest)
          start = ends[at] as number
        }
        from = to
      }
    },
    knows: (piece) => lengthAt(piece) > 0,
  }
}

function lengthOf(row: Int8Array): number {
  let squares = 0
  for (const value of row) squares += value * value
  return Math.sqrt(squares)
}
