import { type BestSlots, createBestSlots } from '../../ranking/best-slots.ts'
import { multiply } from '../../vectors/quantise.ts'
import { rowsPerBlock } from './block-places.ts'
import { firstRow, none, type Rows, readRow } from './rows.ts'

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

export interface Wanted {
  readonly mask: Uint8Array
  /** How many of each kind. */
  readonly count: number
}

/** What the scanner was prepared for. */
export function findNear(rows: Rows, query: Float32Array, wanted: Wanted): Nearness {
  rows.scanner.scan()
  const best = findBest(rows, wanted)
  const again = compareAgain(rows, best.rows, query)
  const cosinesOf = (slots: ArrayLike<number>) => readCosines(rows, again, slots)
  const order = (kind: Kind) => {
    const slots = best[kind].inAnyOrder()
    const cosines = cosinesOf(slots)[kind]
    const ordered = createBestSlots(wanted.count)
    for (const [at, slot] of slots.entries()) ordered.offer(slot, cosines[at] as number)
    return ordered.slots()
  }
  return { nearest: { whole: order('whole'), passage: order('passage') }, cosinesOf }
}

type Kind = 'whole' | 'passage'

interface Best extends Readonly<Record<Kind, BestSlots>> {
  readonly rows: BestSlots
}

/** What is less of its kind is not among the best. */
type Least = Readonly<Record<Kind, number>>

const leastOfAny: Least = { whole: leastPositive, passage: leastPositive }

/** By what was scanned. */
function findBest(rows: Rows, wanted: Wanted): Best {
  const guessed = guessLeast(rows, wanted)
  const best = offerAll(rows, wanted, guessed)
  const isFound = (kind: Kind) => guessed[kind] === leastOfAny[kind] || best[kind].least() > 0
  if (isFound('whole') && isFound('passage')) return best
  return offerAll(rows, wanted, leastOfAny)
}

/** Of the slots so many more that what is compared again may take other places. */
function countOf({ count }: Wanted): number {
  return count + comparedAgain
}

/** Of so many rows one is looked at for a guess, which is odd, and nearly always twice too low: the first block will do. */
const sampled = 17
const caution = 2

/** What as many as are wanted have at least, most probably: it spares offering those that will not stay. */
function guessLeast(rows: Rows, wanted: Wanted): Least {
  const count = Math.ceil((caution * countOf(wanted)) / sampled)
  const best = { whole: createBestSlots(count), passage: createBestSlots(count) }
  const first = Math.min(rows.slots.length, rowsPerBlock)
  for (let row = 0; row < first; row += sampled)
    if (wanted.mask[rows.slots.values[row] as number] === 1)
      best[kindOf(rows, row)].offer(row, productOf(rows, row))
  return leastOf(best, leastOfAny)
}

function offerAll(rows: Rows, wanted: Wanted, least: Least): Best {
  const best = {
    rows: createBestSlots(comparedAgain),
    whole: createBestSlots(countOf(wanted)),
    passage: createBestSlots(countOf(wanted)),
  }
  for (let from = 0; from < rows.slots.length; from += rowsPerBlock)
    offerBlock(rows, { best, mask: wanted.mask, least }, from)
  return best
}

interface Offering {
  readonly best: Best
  readonly mask: Uint8Array
  readonly least: Least
}

function offerBlock(rows: Rows, { best, mask, least }: Offering, from: number): void {
  const block = from / rowsPerBlock
  const products = rows.scanner.products(block)
  const slots = rows.slots.values
  const listed = rows.scanner.list(block, leastOf(best, least))
  for (let at = 0; at < listed.length; at++) {
    const within = listed[at] as number
    const product = products[within] as number
    const row = from + within
    const slot = slots[row] as number
    const kind = best[kindOf(rows, row)]
    if (mask[slot] !== 1 || product < kind.least()) continue
    best.rows.offer(row, product)
    if (isBestOfSlot(rows, slot, row)) kind.offer(slot, product)
  }
}

function leastOf({ whole, passage }: Readonly<Record<Kind, BestSlots>>, least: Least): Least {
  return {
    whole: Math.max(least.whole, whole.least()),
    passage: Math.max(least.passage, passage.least()),
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

/** The cosines of the rows that were compared again; no row with a lesser product was. */
interface Again {
  readonly cosines: ReadonlyMap<number, number>
  readonly least: number
}

function compareAgain(rows: Rows, best: BestSlots, query: Float32Array): Again {
  const cosines = new Map<number, number>()
  for (const row of best.inAnyOrder())
    cosines.set(row, Math.fround(multiply(readRow(rows, row), query)))
  return { cosines, least: best.least() }
}

/** The best of each slot, and whether that was compared again. */
interface Tally {
  readonly cosines: Float64Array
  readonly isExact: Uint8Array
}

/** Where some of a slot's rows were compared again, they are the best it has. */
function readCosines(rows: Rows, again: Again, slots: ArrayLike<number>): Cosines {
  const scale = rows.scanner.queryScale()
  const tallies = { whole: createTally(slots.length), passage: createTally(slots.length) }
  for (let at = 0; at < slots.length; at++) {
    const first = firstRow(rows, slots[at] as number)
    for (let row = first; row !== none; row = rows.next.values[row] as number) {
      const tally = tallies[kindOf(rows, row)]
      const product = productOf(rows, row)
      const exact = product < again.least ? undefined : again.cosines.get(row)
      if (exact === undefined) noteCoarse(tally, at, Math.fround(product * scale))
      else noteExact(tally, at, exact)
    }
  }
  return { whole: tallies.whole.cosines, passage: tallies.passage.cosines }
}

function createTally(length: number): Tally {
  return { cosines: new Float64Array(length), isExact: new Uint8Array(length) }
}

function noteCoarse({ cosines, isExact }: Tally, at: number, cosine: number): void {
  if (isExact[at] === 0) cosines[at] = Math.max(cosines[at] as number, cosine)
}

function noteExact({ cosines, isExact }: Tally, at: number, cosine: number): void {
  cosines[at] = Math.max(isExact[at] === 0 ? 0 : (cosines[at] as number), cosine)
  isExact[at] = 1
}

function kindOf({ passages }: Rows, row: number): Kind {
  return passages.values[row] === 0 ? 'whole' : 'passage'
}

function productOf({ scanner }: Rows, row: number): number {
  return scanner.products(Math.floor(row / rowsPerBlock))[row % rowsPerBlock] as number
}
