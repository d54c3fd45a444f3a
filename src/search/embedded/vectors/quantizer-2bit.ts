import { createRotation } from './rotation.ts'

/** Four numbers a byte, two for each table of what the halves of a byte say. */
const numbersPerByte = 4
const numbersPerTable = 2
const perTable = 16
/** A number is one of -1.5, -0.5, 0.5 and 1.5 times the usual size of the vector's numbers. */
const levels = 4
const maxLevel = 1.5
/** Two of them are added up in eight bits, all of them in sixteen. */
const maxTableEntry = 127
const maxTableSum = 65_535
/** Of so few numbers nothing is left to chance. */
const maxExactDims = 64
/**
 * How far a product may be above what a sketch says, as a multiple of the row's factor and the query's
 * length: what a sketch leaves out of a vector points anywhere, and of 256 numbers this is three standard
 * deviations, one row in a thousand; where a sketch says less of a vector, its factor is greater.
 */
const slack = 1

/** What the tables are worth: a row's product is at most its factor * (unit * sum + offset) + base. */
export interface QuantizedScale {
  readonly unit: number
  readonly offset: number
  readonly base: number
}

/** Makes sketches of vectors, two bits a number: of how they differ from a centre, turned so that all numbers say equally much. */
export interface Quantizer2Bit {
  /** What was sketched before is worth nothing from then on. */
  setCentroid(centroid: Float32Array): void
  /** Writes the sketch, and gives its factor. */
  quantize(vector: Float32Array, into: Uint8Array): number
  /** Writes what each half of a byte of a sketch adds to the product with this query. */
  prepare(query: Float32Array, tables: Uint8Array): QuantizedScale
}

/** Of vectors of so many numbers, a multiple of four, zeros behind them. */
export function createQuantizer2Bit(size: number): Quantizer2Bit {
  const rotate = createRotation(size)
  const centroid = new Float32Array(size)
  return {
    setCentroid: (values) => centroid.set(rotate(values)),
    quantize: (vector, into) => {
      const rotated = rotate(vector)
      for (let at = 0; at < size; at++)
        rotated[at] = (rotated[at] as number) - (centroid[at] as number)
      return writeLevels(rotated, into)
    },
    prepare: (query, tables) => {
      const rotated = rotate(query)
      const count = size / numbersPerTable
      const spans = Array.from({ length: count }, (_, table) => spanOf(rotated, table))
      const maxEntry = Math.min(maxTableEntry, Math.floor(maxTableSum / count))
      const unit = Math.max(...spans) / maxEntry
      for (let table = 0; table < count; table++) writeTable(rotated, { table, unit }, tables)
      const errorBound = size <= maxExactDims ? maxLevel * Math.sqrt(size) : slack
      const minSum = spans.reduce((sum, span) => sum + span, 0) / 2
      const base = dotProduct(rotated, centroid)
      return { unit, offset: errorBound * Math.sqrt(dotProduct(rotated, rotated)) - minSum, base }
    },
  }
}

function writeLevels(values: Float32Array, into: Uint8Array): number {
  const squares = dotProduct(values, values)
  const rms = Math.sqrt(squares / values.length) || 1
  let sum = 0
  into.fill(0)
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number
    const level = Math.min(levels - 1, Math.max(0, Math.floor(value / rms) + levels / 2))
    sum += value * (level - maxLevel)
    const byte = Math.floor(at / numbersPerByte)
    into[byte] = (into[byte] as number) | (level << (2 * (at % numbersPerByte)))
  }
  // The multiple of the sketch whose product with the vector is that of the vector with itself.
  return sum === 0 ? 0 : squares / sum
}

/** From the least that the numbers of a table can add to the most. */
function spanOf(rotated: Float32Array, table: number): number {
  const from = numbersPerTable * table
  return 2 * maxLevel * (Math.abs(rotated[from] as number) + Math.abs(rotated[from + 1] as number))
}

interface Table {
  readonly table: number
  readonly unit: number
}

/** More than the least, in units. */
function writeTable(rotated: Float32Array, { table, unit }: Table, tables: Uint8Array): void {
  const from = numbersPerTable * table
  const [first, second] = [rotated[from] as number, rotated[from + 1] as number]
  const minSum = -spanOf(rotated, table) / 2
  for (let code = 0; code < perTable; code++) {
    const sum = first * ((code % levels) - maxLevel) + second * ((code >> 2) - maxLevel)
    tables[perTable * table + code] = unit === 0 ? 0 : Math.round((sum - minSum) / unit)
  }
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number)
  return sum
}
