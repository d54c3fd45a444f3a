import { dequantize } from '../../quantize.ts'
import { rowsPerBlock } from './block-layout.ts'
import { noRow, type VectorRows } from './rows.ts'

/** The centroid is recomputed as the space grows, up to `maxRows`; queries wait for it. */
const minRows = 64
const growth = 8
const maxRows = 4096

/** The row count at which the centroid is recomputed next. */
export function nextCentroidAt(rows: number): number {
  let next = minRows
  while (next <= rows) next *= growth
  return next > maxRows ? Number.POSITIVE_INFINITY : next
}

/** Moves the centroid to the mean of all vectors: differences from it quantize better. */
export function updateCentroid(rows: VectorRows): void {
  const { vectors, slots, snapshots } = rows
  const mean = new Float64Array(vectors.centroid.length)
  const liveRows = Array.from(slots.values.subarray(0, slots.length).keys()).filter(
    (row) => slots.values[row] !== noRow,
  )
  for (const row of liveRows) {
    const vector = readVector(rows, row)
    for (let at = 0; at < mean.length; at++)
      mean[at] = (mean[at] as number) + (vector[at] as number) / liveRows.length
  }
  for (let block = 0; block * rowsPerBlock < slots.length; block++) snapshots.beforeWrite(block)
  vectors.setCentroid(Float32Array.from(mean))
  for (const row of liveRows) vectors.writeQuantized(row, readVector(rows, row))
}

function readVector({ vectors }: VectorRows, row: number): Float32Array {
  return dequantize(vectors.read(row), vectors.centroid.length)
}
