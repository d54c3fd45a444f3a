import { restore } from '../../quantize.ts'
import { rowsPerBlock } from './block-layout.ts'
import { none, type Rows } from './rows.ts'

/** A centre is found anew as rows become more, until they are so many that it hardly moves: questions wait for it. */
const firstRows = 64
const times = 8
const lastRows = 4096

/** The rows of which the next centre is found, where so many have theirs. */
export function nextCentreAt(rows: number): number {
  let next = firstRows
  while (next <= rows) next *= times
  return next > lastRows ? Number.POSITIVE_INFINITY : next
}

/** Puts the centre of the sketches in the middle of all vectors: of how they differ a sketch says more. */
export function findCentre(rows: Rows): void {
  const { vectors, slots, holds } = rows
  const middle = new Float64Array(vectors.centre.length)
  const held = Array.from(slots.values.subarray(0, slots.length).keys()).filter(
    (row) => slots.values[row] !== none,
  )
  for (const row of held) {
    const vector = readVector(rows, row)
    for (let at = 0; at < middle.length; at++)
      middle[at] = (middle[at] as number) + (vector[at] as number) / held.length
  }
  for (let block = 0; block * rowsPerBlock < slots.length; block++) holds.beforeChange(block)
  vectors.setCentre(Float32Array.from(middle))
  for (const row of held) vectors.sketch(row, readVector(rows, row))
}

function readVector({ vectors }: Rows, row: number): Float32Array {
  return restore(vectors.read(row), vectors.centre.length)
}
