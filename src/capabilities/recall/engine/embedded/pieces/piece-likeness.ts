import type { StaticModel } from '../../../../embeddings/static-model/index.ts'
import { createScanner, rowsPerBlock } from '../vectors/scanner.ts'

/** A table holds squared cosines as bytes. */
export const alike = 255

/** How much word pieces mean the same. */
export interface PieceLikeness {
  /**
   * For each piece that is asked about a table by piece, from 0 to `alike`, of those that are held;
   * 0 for what points the other way and for all others.
   */
  compare(asked: readonly number[], held: Iterable<number>): readonly Uint8Array[]
  /** Whether it is known what a piece means. */
  knows(piece: number): boolean
}

type Model = Pick<StaticModel, 'dims' | 'pieces' | 'direction'>

/** Few pieces are held by what may answer: only their rows are brought together and scanned. */
export function createPieceLikeness(model: Model): PieceLikeness {
  const { dims, pieces, direction } = model
  const lengths = Float32Array.from({ length: pieces }, (_, piece) => lengthOf(direction(piece)))
  const scanner = createScanner(dims)
  const room = { blocks: 0 }

  const bringTogether = (held: readonly number[]) => {
    for (; room.blocks * rowsPerBlock < held.length; room.blocks++) scanner.addBlock()
    for (let from = 0; from < held.length; from += rowsPerBlock) {
      const { rows, scales } = scanner.block(from / rowsPerBlock)
      for (const [within, piece] of held.slice(from, from + rowsPerBlock).entries()) {
        rows.set(direction(piece), within * scanner.stride)
        scales[within] = 1 / (lengths[piece] || 1)
      }
    }
  }
  const readTable = (asked: number, held: readonly number[]) => {
    const length = lengths[asked] || 1
    scanner.prepare(Float32Array.from(direction(asked), (value) => value / length))
    const table = new Uint8Array(pieces)
    for (let from = 0; from < held.length; from += rowsPerBlock) {
      const cosines = scanner.scan(from / rowsPerBlock)
      const count = Math.min(rowsPerBlock, held.length - from)
      for (let within = 0; within < count; within++)
        table[held[from + within] as number] = toLikeness(cosines[within] as number)
    }
    table[asked] = alike
    return table
  }
  return {
    compare: (asked, held) => {
      const distinct = [...new Set(held)]
      bringTogether(distinct)
      return asked.map((piece) => readTable(piece, distinct))
    },
    knows: (piece) => (lengths[piece] ?? 0) > 0,
  }
}

function toLikeness(cosine: number): number {
  const positive = Math.max(0, Math.min(1, cosine))
  return Math.round(positive * positive * alike)
}

function lengthOf(row: Int8Array): number {
  let squares = 0
  for (const value of row) squares += value * value
  return Math.sqrt(squares)
}
