import { createTopK, type TopK } from '../../ranking/top-k.ts'
import { rowsPerBlock } from './block-layout.ts'
import { firstRow, noRow, type VectorRows } from './rows.ts'

/** The smallest positive single-precision number: only positive products are similar. */
const minPositive = 2 ** -149

/** The nearest vectors of a query, as whole texts and as passages. */
export interface NearestVectors {
  /** Nearest slots, best first. */
  readonly nearest: { readonly whole: readonly number[]; readonly passage: readonly number[] }
  /** Cosines of these slots, in their order. */
  cosinesOf(slots: ArrayLike<number>): Cosines
}

/** 0 without a vector, or with a negative cosine. */
interface Cosines {
  readonly whole: Float64Array
  readonly passage: Float64Array
}

export interface TopKRequest {
  readonly mask: Uint8Array
  /** The k of top-k, for each kind. */
  readonly count: number
}

/** The scanner must be prepared with the query. */
export function nearestNeighbours(rows: VectorRows, request: TopKRequest): NearestVectors {
  rows.scanner.estimate()
  const { whole, passage } = searchTopK(rows, request)
  return {
    nearest: { whole: whole.slots(), passage: passage.slots() },
    cosinesOf: (slots) => readCosines(rows, slots),
  }
}

type Kind = 'whole' | 'passage'

type TopKByKind = Readonly<Record<Kind, TopK>>

/** Rows below their threshold cannot be in the top k. */
type ThresholdByKind = Readonly<Record<Kind, number>>

const minThreshold: ThresholdByKind = { whole: minPositive, passage: minPositive }

/**
 * Two passes: the first finds a safe threshold, the second multiplies only rows whose upper bound
 * reaches it.
 */
function searchTopK(rows: VectorRows, request: TopKRequest): TopKByKind {
  const estimate = scoreBlocks(rows, request, estimateThreshold(rows, request))
  return scoreBlocks(rows, request, thresholdOf(estimate, minThreshold))
}

/** The number of rows sampled for the estimate. */
const sampleSize = 2048
/** Margin for sampling error. */
const sampleMargin = { times: 2, more: 4 }

/** Estimates a threshold that slightly more rows than needed exceed. */
function estimateThreshold(rows: VectorRows, request: TopKRequest): ThresholdByKind {
  const step = Math.max(1, Math.floor(rows.slots.length / sampleSize))
  const count = Math.ceil((sampleMargin.times * request.count) / step) + sampleMargin.more
  const topK = { whole: createTopK(count), passage: createTopK(count) }
  for (let row = 0; row < rows.slots.length; row += step)
    if (request.mask[rows.slots.values[row] as number] === 1)
      topK[kindOf(rows, row)].push(row, rows.scanner.product(row))
  return thresholdOf(topK, minThreshold)
}

function scoreBlocks(
  rows: VectorRows,
  request: TopKRequest,
  threshold: ThresholdByKind,
): TopKByKind {
  const topK = { whole: createTopK(request.count), passage: createTopK(request.count) }
  const scoring = { topK, mask: request.mask, threshold, visibleRows: new Int32Array(rowsPerBlock) }
  for (let block = 0; block * rowsPerBlock < rows.slots.length; block++)
    scoreBlock(rows, scoring, block)
  return topK
}

interface BlockScoring {
  readonly topK: TopKByKind
  readonly mask: Uint8Array
  readonly threshold: ThresholdByKind
  /** A buffer for the rows of a block. */
  readonly visibleRows: Int32Array
}

function scoreBlock(
  rows: VectorRows,
  { topK, mask, threshold, visibleRows }: BlockScoring,
  block: number,
): void {
  const { scanner, slots } = rows
  let count = 0
  for (const row of scanner.list(block, thresholdOf(topK, threshold)))
    if (mask[slots.values[row] as number] === 1) visibleRows[count++] = row
  scanner.multiply(visibleRows.subarray(0, count))
  for (let at = 0; at < count; at++) {
    const row = visibleRows[at] as number
    const slot = slots.values[row] as number
    const product = scanner.product(row)
    const kind = topK[kindOf(rows, row)]
    if (product >= kind.threshold() && isBestOfSlot(rows, slot, row)) kind.push(slot, product)
  }
}

function thresholdOf(
  { whole, passage }: Readonly<Record<Kind, TopK>>,
  threshold: ThresholdByKind,
): ThresholdByKind {
  return {
    whole: Math.max(threshold.whole, whole.threshold()),
    passage: Math.max(threshold.passage, passage.threshold()),
  }
}

/** Only the best passage of a slot is pushed, so that a slot appears once. */
function isBestOfSlot(rows: VectorRows, slot: number, row: number): boolean {
  const { next, passages } = rows
  if (passages.values[row] === 0) return true
  const product = rows.scanner.product(row)
  const ranksAbove = (other: number) => {
    const otherProduct = rows.scanner.product(other)
    return otherProduct > product || (otherProduct === product && other > row)
  }
  for (let other = firstRow(rows, slot); other !== noRow; other = next.values[other] as number) {
    if (other === row || passages.values[other] === 0 || !ranksAbove(other)) continue
    // The product may still be an upper bound.
    rows.scanner.multiply(Int32Array.of(other))
    if (ranksAbove(other)) return false
  }
  return true
}

/** The best cosine of each slot. */
function readCosines(rows: VectorRows, slots: ArrayLike<number>): Cosines {
  const cosines = { whole: new Float64Array(slots.length), passage: new Float64Array(slots.length) }
  const scale = rows.scanner.queryScale()
  rows.scanner.multiply(listRows(rows, slots))
  for (let at = 0; at < slots.length; at++) {
    const first = firstRow(rows, slots[at] as number)
    for (let row = first; row !== noRow; row = rows.next.values[row] as number) {
      const topK = cosines[kindOf(rows, row)]
      topK[at] = Math.max(topK[at] as number, Math.fround(rows.scanner.product(row) * scale))
    }
  }
  return cosines
}

function listRows(rows: VectorRows, slots: ArrayLike<number>): Int32Array {
  const listed: number[] = []
  for (let at = 0; at < slots.length; at++) {
    const first = firstRow(rows, slots[at] as number)
    for (let row = first; row !== noRow; row = rows.next.values[row] as number) listed.push(row)
  }
  return Int32Array.from(listed)
}

function kindOf({ passages }: VectorRows, row: number): Kind {
  return passages.values[row] === 0 ? 'whole' : 'passage'
}
