import { createTopK, type TopK } from '../../ranking/top-k.ts'
import { rowsPerBlock } from './block-layout.ts'
import { firstRow, none, type Rows } from './rows.ts'

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

export interface Wanted {
  readonly mask: Uint8Array
  /** How many of each kind. */
  readonly count: number
}

/** What the scanner was prepared for. */
export function findNear(rows: Rows, wanted: Wanted): Nearness {
  rows.scanner.estimate()
  const { whole, passage } = findBest(rows, wanted)
  return {
    nearest: { whole: whole.slots(), passage: passage.slots() },
    cosinesOf: (slots) => readCosines(rows, slots),
  }
}

type Kind = 'whole' | 'passage'

type Best = Readonly<Record<Kind, TopK>>

/** What is less of its kind is not among the best. */
type Least = Readonly<Record<Kind, number>>

const leastOfAny: Least = { whole: leastPositive, passage: leastPositive }

/** What those have that may have most is the least that all others need: the rest is not multiplied. */
function findBest(rows: Rows, wanted: Wanted): Best {
  const likely = offerAll(rows, wanted, guessLeast(rows, wanted))
  return offerAll(rows, wanted, leastOf(likely, leastOfAny))
}

/** So many rows are looked at for a guess. */
const sampled = 2048
/** More than that: of a few rows as many by chance. */
const caution = { times: 2, more: 4 }

/** What more rows than are wanted may have, most probably, and not many more. */
function guessLeast(rows: Rows, wanted: Wanted): Least {
  const apart = Math.max(1, Math.floor(rows.slots.length / sampled))
  const count = Math.ceil((caution.times * wanted.count) / apart) + caution.more
  const best = { whole: createTopK(count), passage: createTopK(count) }
  for (let row = 0; row < rows.slots.length; row += apart)
    if (wanted.mask[rows.slots.values[row] as number] === 1)
      best[kindOf(rows, row)].push(row, rows.scanner.product(row))
  return leastOf(best, leastOfAny)
}

function offerAll(rows: Rows, wanted: Wanted, least: Least): Best {
  const best = { whole: createTopK(wanted.count), passage: createTopK(wanted.count) }
  const offering = { best, mask: wanted.mask, least, seen: new Int32Array(rowsPerBlock) }
  for (let block = 0; block * rowsPerBlock < rows.slots.length; block++)
    offerBlock(rows, offering, block)
  return best
}

interface Offering {
  readonly best: Best
  readonly mask: Uint8Array
  readonly least: Least
  /** Room for the rows of a block. */
  readonly seen: Int32Array
}

function offerBlock(rows: Rows, { best, mask, least, seen }: Offering, block: number): void {
  const { scanner, slots } = rows
  let count = 0
  for (const row of scanner.list(block, leastOf(best, least)))
    if (mask[slots.values[row] as number] === 1) seen[count++] = row
  scanner.multiply(seen.subarray(0, count))
  for (let at = 0; at < count; at++) {
    const row = seen[at] as number
    const slot = slots.values[row] as number
    const product = scanner.product(row)
    const kind = best[kindOf(rows, row)]
    if (product >= kind.threshold() && isBestOfSlot(rows, slot, row)) kind.push(slot, product)
  }
}

function leastOf({ whole, passage }: Readonly<Record<Kind, TopK>>, least: Least): Least {
  return {
    whole: Math.max(least.whole, whole.threshold()),
    passage: Math.max(least.passage, passage.threshold()),
  }
}

/** Of a slot's passages one is offered, so that it is offered once; of its whole text there is one. */
function isBestOfSlot(rows: Rows, slot: number, row: number): boolean {
  const { next, passages } = rows
  if (passages.values[row] === 0) return true
  const product = rows.scanner.product(row)
  const isBefore = (other: number) => {
    const rival = rows.scanner.product(other)
    return rival > product || (rival === product && other > row)
  }
  for (let other = firstRow(rows, slot); other !== none; other = next.values[other] as number) {
    if (other === row || passages.values[other] === 0 || !isBefore(other)) continue
    // It may be only what it has at most.
    rows.scanner.multiply(Int32Array.of(other))
    if (isBefore(other)) return false
  }
  return true
}

/** The best of each slot. */
function readCosines(rows: Rows, slots: ArrayLike<number>): Cosines {
  const cosines = { whole: new Float64Array(slots.length), passage: new Float64Array(slots.length) }
  const scale = rows.scanner.queryScale()
  rows.scanner.multiply(listRows(rows, slots))
  for (let at = 0; at < slots.length; at++) {
    const first = firstRow(rows, slots[at] as number)
    for (let row = first; row !== none; row = rows.next.values[row] as number) {
      const best = cosines[kindOf(rows, row)]
      best[at] = Math.max(best[at] as number, Math.fround(rows.scanner.product(row) * scale))
    }
  }
  return cosines
}

function listRows(rows: Rows, slots: ArrayLike<number>): Int32Array {
  const listed: number[] = []
  for (let at = 0; at < slots.length; at++) {
    const first = firstRow(rows, slots[at] as number)
    for (let row = first; row !== none; row = rows.next.values[row] as number) listed.push(row)
  }
  return Int32Array.from(listed)
}

function kindOf({ passages }: Rows, row: number): Kind {
  return passages.values[row] === 0 ? 'whole' : 'passage'
}
