import { createRotation } from './rotation.ts'

/** Four values per byte; each table covers two. */
const numbersPerByte = 4
const numbersPerTable = 2
const perTable = 16
/** Values are quantized to -1.5, -0.5, 0.5 and 1.5 times the root mean square of the vector. */
const levels = 4
const maxLevel = 1.5
/** Two table entries are summed in 8 bits, all of them in 16. */
const maxTableEntry = 127
const maxTableSum = 65_535
/** Up to this size the error bound is exact, not statistical. */
const maxExactDims = 64
/**
 * Upper bound of the quantization error, as a multiple of the row factor and the query length. For
 * 256 dimensions it is three standard deviations: one row in a thousand exceeds it.
 */
const slack = 1

/** A product is at most factor * (unit * sum + offset) + base. */
export interface QuantizedScale {
  readonly unit: number
  readonly offset: number
  readonly base: number
}

/**
 * Quantizes vectors to two bits per dimension: their difference from the centroid, rotated so that
 * all dimensions carry equal variance.
 */
export interface Quantizer2Bit {
  /** Invalidates all quantized rows. */
  setCentroid(centroid: Float32Array): void
  /** Writes the quantized vector and returns its factor. */
  quantize(vector: Float32Array, into: Uint8Array): number
  /** Writes the lookup tables of a query: the product of each half byte. */
  prepare(query: Float32Array, tables: Uint8Array): QuantizedScale
}

/** For vectors of `size` dimensions, a multiple of four, padded with zeros. */
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
  // Scales the quantized vector so that its product with the vector equals the squared length.
  return sum === 0 ? 0 : squares / sum
}

/** The range of the sums in a table. */
function spanOf(rotated: Float32Array, table: number): number {
  const from = numbersPerTable * table
  return 2 * maxLevel * (Math.abs(rotated[from] as number) + Math.abs(rotated[from + 1] as number))
}

interface Table {
  readonly table: number
  readonly unit: number
}

/** Entries are offsets from the minimum, in units. */
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
