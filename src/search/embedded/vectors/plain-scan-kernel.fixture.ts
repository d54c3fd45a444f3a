import type { QuantizedVector } from '../../quantize.ts'
import type { QuantizedScale } from './quantizer-2bit.ts'

/** A reference implementation of scan-kernel.as, exact to the last bit. */

interface QuantizedRow {
  readonly quantize: Uint8Array
  readonly factor: number
}

/** Upper bound of the product, by the tables of the query. */
export function estimate(
  { quantize, factor }: QuantizedRow,
  tables: Uint8Array,
  { unit, offset, base }: QuantizedScale,
): number {
  const halves = [...quantize].flatMap((byte) => [byte & 15, byte >> 4])
  const sum = halves.reduce((sum, code, table) => sum + (tables[16 * table + code] ?? 0), 0)
  const most = Math.fround(Math.fround(sum * Math.fround(unit)) + Math.fround(offset))
  return Math.fround(Math.fround(Math.fround(factor) * most) + Math.fround(base))
}

export function multiply(
  { bytes, residuals, scale }: QuantizedVector,
  query: Readonly<ArrayLike<number>>,
): number {
  const sumOf = (numbers: Int8Array) => {
    let sum = 0
    for (let at = 0; at < query.length; at++) sum += (query[at] ?? 0) * (numbers[at] ?? 0)
    return Math.fround(sum)
  }
  const less = Math.fround(sumOf(residuals) * Math.fround(1 / 254))
  return Math.fround(Math.fround(sumOf(bytes) + less) * scale)
}

interface Listing {
  readonly isPassage: (row: number) => boolean
  readonly whole: number
  readonly passage: number
}

/** Rows that reach the threshold of their kind. */
export function list(
  products: readonly number[],
  { isPassage, whole, passage }: Listing,
): readonly number[] {
  return [...products.keys()].filter(
    (row) => (products[row] ?? 0) >= (isPassage(row) ? passage : whole),
  )
}
