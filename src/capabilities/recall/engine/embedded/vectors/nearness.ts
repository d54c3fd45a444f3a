import { type BestSlots, createBestSlots } from '../../ranking/best-slots.ts'
import { multiply } from '../../vectors/quantise.ts'
import { firstRow, none, type Rows, readRow } from './rows.ts'
import { rowsPerBlock } from './scanner.ts'

/** How many of the best are compared again, exactly. */
const comparedAgain = 100
/** In four bytes; what is not above zero is not near. */
const leastPositive = 2 ** -149

/** How near texts are to a query, as a whole and by their best passages. */
export interface Nearness {
  /** The nearest slots, the nearest first. */
  readonly nearest: { readonly whole: readonly number[]; readonly passage: readonly number[] }
  /** Of these slots, in their order. */
  cosinesOf(slots: ArrayLike<number>): Cosines
}

/** 0 where there is no vector, or one that points the other way. */
interface Cosines {
  readonly whole: Float64Array
  readonly passage: Float64Array
}

interface Wanted {
  readonly mask: Uint8Array
  /** How many of each kind. */
  readonly count: number
}

export function findNear(rows: Rows, query: Float32Array, wanted: Wanted): Nearness {
  const { scanner } = rows
  scanner.prepare(query)
  for (let from = 0; from < rows.slots.length; from += rowsPerBlock)
    scanner.scan(from / rowsPerBlock)
  const best = findBest(rows, wanted)
  const exact = new Map(
    best.rows
      .slots()
      .map((row) => [row, Math.fround(multiply(readRow(rows, row), query))] as const),
  )
  const cosinesOf = (slots: ArrayLike<number>) => readCosines(rows, exact, slots)
  const order = (kind: 'whole' | 'passage') => {
    const slots = best[kind].slots()
    const cosines = cosinesOf(slots)[kind]
    const ordered = createBestSlots(wanted.count)
    for (const [at, slot] of slots.entries()) ordered.offer(slot, cosines[at] as number)
    return ordered.slots()
  }
  return { nearest: { whole: order('whole'), passage: order('passage') }, cosinesOf }
}

/** The cosines of the rows that were compared again. */
type Exact = ReadonlyMap<number, number>

interface Best {
  readonly rows: BestSlots
  readonly whole: BestSlots
  readonly passage: BestSlots
}

/** By what was scanned. Of the slots so many more that what is compared again may take other places. */
function findBest(rows: Rows, { mask, count }: Wanted): Best {
  const best = {
    rows: createBestSlots(comparedAgain),
    whole: createBestSlots(count + comparedAgain),
    passage: createBestSlots(count + comparedAgain),
  }
  for (let from = 0; from < rows.slots.length; from += rowsPerBlock)
    offerBlock(rows, { best, mask }, from)
  return best
}

function offerBlock(rows: Rows, { best, mask }: { best: Best; mask: Uint8Array }, from: number) {
  const block = from / rowsPerBlock
  const products = rows.scanner.products(block)
  const slots = rows.slots.values
  const passages = rows.passages.values
  const listed = rows.scanner.list(block, leastOf(best))
  for (let at = 0; at < listed.length; at++) {
    const within = listed[at] as number
    const product = products[within] as number
    const row = from + within
    const slot = slots[row] as number
    const kind = passages[row] === 0 ? best.whole : best.passage
    if (mask[slot] !== 1 || product < kind.least()) continue
    best.rows.offer(row, product)
    if (isBestOfSlot(rows, slot, row)) kind.offer(slot, product)
  }
}

function leastOf({ whole, passage }: Best) {
  return {
    whole: Math.max(leastPositive, whole.least()),
    passage: Math.max(leastPositive, passage.least()),
  }
}

/** Of a slot's passages one is offered, so that it is offered once; of its whole text there is one. */
function isBestOfSlot(rows: Rows, slot: number, row: number): boolean {
  const { next, passages } = rows
  if (passages.values[row] === 0) return true
  const product = productOf(rows, row)
  for (let other = firstRow(rows, slot); other !== none; other = next.values[other] as number) {
    if (other === row || passages.values[other] === 0) continue
    const rival = productOf(rows, other)
    if (rival > product || (rival === product && other > row)) return false
  }
  return true
}

function readCosines(rows: Rows, exact: Exact, slots: ArrayLike<number>): Cosines {
  const whole = new Float64Array(slots.length)
  const passage = new Float64Array(slots.length)
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] as number
    whole[at] = cosineOf(rows, exact, { slot, isWhole: true })
    passage[at] = cosineOf(rows, exact, { slot, isWhole: false })
  }
  return { whole, passage }
}

interface Asked {
  readonly slot: number
  readonly isWhole: boolean
}

/** Where some of a slot's rows were compared again, they are the best it has. */
function cosineOf(rows: Rows, exact: Exact, { slot, isWhole }: Asked): number {
  const { next, passages, scanner } = rows
  let coarse = 0
  let fine = Number.NEGATIVE_INFINITY
  for (let row = firstRow(rows, slot); row !== none; row = next.values[row] as number) {
    if ((passages.values[row] === 0) !== isWhole) continue
    coarse = Math.max(coarse, productOf(rows, row))
    fine = Math.max(fine, exact.get(row) ?? Number.NEGATIVE_INFINITY)
  }
  if (fine !== Number.NEGATIVE_INFINITY) return Math.max(0, fine)
  return Math.fround(coarse * scanner.queryScale())
}

function productOf({ scanner }: Rows, row: number): number {
  return scanner.products(Math.floor(row / rowsPerBlock))[row % rowsPerBlock] as number
}
