import { createRotation } from './rotation.ts'

/** Bits that one table answers for, and what it holds. */
const bitsPerTable = 4
const perTable = 2 ** bitsPerTable
/** Two of them are added up in eight bits, all of them in sixteen. */
const largestEntry = 127
const largestSum = 65_535
/** Of so few numbers nothing is left to chance. */
const fewNumbers = 64
/**
 * How far a product may be above what a sketch says, as a multiple of the row's factor and the query's
 * length: what the signs leave out of a row points anywhere, and of 256 numbers this is 3.3 standard
 * deviations, one row in two thousand; where signs say less of a row, its factor is greater.
 */
const slack = 2

/** What the bytes of the tables are worth: a row's product is at most its factor * (unit * sum + offset). */
export interface SketchScale {
  readonly unit: number
  readonly offset: number
}

/** Makes sketches of vectors: their signs, once they are turned so that all numbers say equally much. */
export interface Sketcher {
  /** Writes a bit for each number, and gives the factor. */
  sketch(vector: Float32Array, into: Uint8Array): number
  /** Writes what each half of a byte of a sketch adds to the product with this query. */
  prepare(query: Float32Array, tables: Uint8Array): SketchScale
}

/** Of vectors of so many numbers, a multiple of eight, zeros behind them. */
export function createSketcher(size: number): Sketcher {
  const turn = createRotation(size)
  return {
    sketch: (vector, into) => {
      const turned = turn(vector)
      let [squares, sum] = [0, 0]
      into.fill(0)
      for (let at = 0; at < size; at++) {
        const value = turned[at] as number
        squares += value * value
        sum += Math.abs(value)
        if (value >= 0) into[at >> 3] = (into[at >> 3] as number) | (1 << (at & 7))
      }
      // The multiple of the signs whose product with the vector is that of the vector with itself.
      return sum === 0 ? 0 : squares / sum
    },
    prepare: (query, tables) => {
      const turned = turn(query)
      const count = size / bitsPerTable
      const spans = Array.from({ length: count }, (_, table) => spanOf(turned, table))
      const most = Math.min(largestEntry, Math.floor(largestSum / count))
      const unit = Math.max(...spans) / most
      for (let table = 0; table < count; table++) writeTable(turned, { table, unit }, tables)
      const length = Math.hypot(...turned)
      const allowed = size <= fewNumbers ? Math.sqrt(size) : slack
      return { unit, offset: allowed * length - spans.reduce((sum, span) => sum + span, 0) / 2 }
    },
  }
}

/** From the least that the signs of a table's numbers can add to the most. */
function spanOf(turned: Float32Array, table: number): number {
  let span = 0
  for (let bit = 0; bit < bitsPerTable; bit++)
    span += 2 * Math.abs(turned[bitsPerTable * table + bit] as number)
  return span
}

interface Table {
  readonly table: number
  readonly unit: number
}

/** More than the least, in units. */
function writeTable(turned: Float32Array, { table, unit }: Table, tables: Uint8Array): void {
  const from = bitsPerTable * table
  for (let code = 0; code < perTable; code++) {
    let sum = 0
    for (let bit = 0; bit < bitsPerTable; bit++) {
      const value = turned[from + bit] as number
      const isSet = (code >> bit) & 1
      if (isSet === Number(value >= 0)) sum += 2 * Math.abs(value)
    }
    tables[perTable * table + code] = unit === 0 ? 0 : Math.round(sum / unit)
  }
}
