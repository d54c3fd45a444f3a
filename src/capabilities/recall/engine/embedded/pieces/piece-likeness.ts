import type { StaticModel } from '../../../../embeddings/index.ts'
import { createScanner, rowsPerBlock } from '../vectors/scanner.ts'

/** Tables of pieces that were asked for lately; a table is 30 kB. */
const keptAtMost = 256
/** A table holds squared cosines as bytes. */
export const alike = 255

/** How much word pieces mean the same. */
export interface PieceLikeness {
  /** By piece, from 0 to `alike`; 0 for what points the other way. */
  to(piece: number): Uint8Array
  /** Whether it is known what a piece means. */
  knows(piece: number): boolean
}

export function createPieceLikeness({
  dims,
  pieces,
  direction,
}: Pick<StaticModel, 'dims' | 'pieces' | 'direction'>): PieceLikeness {
  const scanner = createScanner(dims)
  const known = new Uint8Array(pieces)
  for (let piece = 0; piece < pieces; piece++) {
    if (piece % rowsPerBlock === 0) scanner.addBlock()
    const row = direction(piece)
    const length = lengthOf(row)
    scanner.row(piece).set(row)
    known[piece] = length > 0 ? 1 : 0
    scanner.setScale(piece, length > 0 ? 1 / length : 0)
  }
  const tables = new Map<number, Uint8Array>()
  const readTable = (piece: number) => {
    const row = direction(piece)
    const length = lengthOf(row) || 1
    scanner.prepare(Float32Array.from(row, (value) => value / length))
    const table = new Uint8Array(pieces)
    for (let from = 0; from < pieces; from += rowsPerBlock)
      table.set(toLikeness(scanner.scan(from / rowsPerBlock)).subarray(0, pieces - from), from)
    table[piece] = alike
    return table
  }
  return {
    knows: (piece) => known[piece] === 1,
    to: (piece) => {
      const table = tables.get(piece) ?? readTable(piece)
      tables.delete(piece)
      tables.set(piece, table)
      // The first key is the one that was asked for longest ago.
      if (tables.size > keptAtMost) tables.delete(tables.keys().next().value ?? piece)
      return table
    },
  }
}

function toLikeness(cosines: Float32Array): Uint8Array {
  const likeness = new Uint8Array(cosines.length)
  for (let at = 0; at < cosines.length; at++) {
    const cosine = Math.max(0, Math.min(1, cosines[at] as number))
    likeness[at] = Math.round(cosine * cosine * alike)
  }
  return likeness
}

function lengthOf(row: Int8Array): number {
  let squares = 0
  for (const value of row) squares += value * value
  return Math.sqrt(squares)
}
