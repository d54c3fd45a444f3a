import { createRotation } from './rotation.ts'

/** Four numbers a byte, two for each table of what the halves of a byte say. */
const numbersPerByte = 4
const numbersPerTable = 2
const perTable = 16
/** A number is one of -1.5, -0.5, 0.5 and 1.5 times the usual size of the vector's numbers. */
const levels = 4
const farthest = 1.5
/** Two of them are added up in eight bits, all of them in sixteen. */
const largestEntry = 127
const largestSum = 65_535
/** Of so few numbers nothing is left to chance. */
const fewNumbers = 64
/**
 * How far a product may be above what a sketch says, as a multiple of the row's factor and the query's
 * length: what a sketch leaves out of a vector points anywhere, and of 256 numbers this is three standard
 * deviations, one row in a thousand; where a sketch says less of a vector, its factor is greater.
 */
const slack = 1

/** What the tables are worth: a row's product is at most its factor * (unit * sum + offset) + base. */
export interface SketchScale {
  readonly unit: number
  readonly offset: number
  readonly base: number
}

/** Makes sketches of vectors, two bits a number: of how they differ from a centre, turned so that all numbers say equally much. */
export interface Sketcher {
  /** What was sketched before is worth nothing from then on. */
  setCentre(centre: Float32Array): void
  /** Writes the sketch, and gives its factor. */
  sketch(vector: Float32Array, into: Uint8Array): number
  /** Writes what each half of a byte of a sketch adds to the product with this query. */
  prepare(query: Float32Array, tables: Uint8Array): SketchScale
}

/** Of vectors of so many numbers, a multiple of four, zeros behind them. */
export function createSketcher(size: number): Sketcher {
  const turn = createRotation(size)
  const centre = new Float32Array(size)
  return {
    setCentre: (values) => centre.set(turn(values)),
    sketch: (vector, into) => {
      const turned = turn(vector)
      for (let at = 0; at < size; at++) turned[at] = (turned[at] as number) - (centre[at] as number)
      return writeSketch(turned, into)
    },
    prepare: (query, tables) => {
      const turned = turn(query)
      const count = size / numbersPerTable
      const spans = Array.from({ length: count }, (_, table) => spanOf(turned, table))
      const most = Math.min(largestEntry, Math.floor(largestSum / count))
      const unit = Math.max(...spans) / most
      for (let table = 0; table < count; table++) writeTable(turned, { table, unit }, tables)
      const allowed = size <= fewNumbers ? farthest * Math.sqrt(size) : slack
      const least = spans.reduce((sum, span) => sum + span, 0) / 2
      const base = multiply(turned, centre)
      return { unit, offset: allowed * Math.sqrt(multiply(turned, turned)) - least, base }
    },
  }
}

function writeSketch(values: Float32Array, into: Uint8Array): number {
  const squares = multiply(values, values)
  const usual = Math.sqrt(squares / values.length) || 1
  let sum = 0
  into.fill(0)
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number
    const level = Math.min(levels - 1, Math.max(0, Math.floor(value / usual) + levels / 2))
    sum += value * (level - farthest)
    const byte = Math.floor(at / numbersPerByte)
    into[byte] = (into[byte] as number) | (level << (2 * (at % numbersPerByte)))
  }
  // The multiple of the sketch whose product with the vector is that of the vector with itself.
  return sum === 0 ? 0 : squares / sum
}

/** From the least that the numbers of a table can add to the most. */
function spanOf(turned: Float32Array, table: number): number {
  const from = numbersPerTable * table
  return 2 * farthest * (Math.abs(turned[from] as number) + Math.abs(turned[from + 1] as number))
}

interface Table {
  readonly table: number
  readonly unit: number
}

/** More than the least, in units. */
function writeTable(turned: Float32Array, { table, unit }: Table, tables: Uint8Array): void {
  const from = numbersPerTable * table
  const [first, second] = [turned[from] as number, turned[from + 1] as number]
  const least = -spanOf(turned, table) / 2
  for (let code = 0; code < perTable; code++) {
    const sum = first * ((code % levels) - farthest) + second * ((code >> 2) - farthest)
    tables[perTable * table + code] = unit === 0 ? 0 : Math.round((sum - least) / unit)
  }
}

function multiply(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number)
  return sum
}
