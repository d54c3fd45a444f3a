import { createBestSlots } from '../../ranking/best-slots.ts'
import { createBm25, createNorms, most } from '../../ranking/bm25.ts'
import { createGrowing, type Growing, push } from '../growing.ts'
import { createCounter } from './counter.ts'
import { averageLength, countBits, type Lists, mostCounted, rarityOfTerm } from './lists.ts'

export interface Wanted {
  /** 1 for each slot that may be found. */
  readonly mask: Uint8Array
  /** How many. */
  readonly count: number
}

interface Asked {
  readonly term: string
  readonly code: number
  readonly rarity: number
  /** What it and those behind it add to a text at most. */
  readonly bound: number
}

/** The slots that were met so far, and what each has so far. */
interface Met {
  readonly slots: Growing<Int32Array>
  sums: Float32Array
}

/** Sums are kept in four bytes: so much less is as good as equal. */
const exactness = 1 - 1e-6

/**
 * Terms that say much come first. Once those behind could not bring another text among the best,
 * their lists, which are the long ones, are not read: the texts that were met tell what they hold.
 */
export function createBestTexts(lists: Lists) {
  const met: Met = {
    slots: createGrowing((length) => new Int32Array(length)),
    sums: new Float32Array(0),
  }
  return (terms: readonly string[], wanted: Wanted): number[] => {
    const asked = readAsked(lists, terms)
    if (met.sums.length < lists.lengths.length)
      met.sums = new Float32Array(lists.lengths.values.length)
    met.slots.length = 0
    let least = 0
    let read = 0
    for (const [at, { bound }] of asked.entries()) {
      if (bound < least) break
      addUp(lists, asked[at] as Asked, { met, mask: wanted.mask })
      read = at + 1
      if (canEnd(lists, asked, { read, met })) least = leastOf(met, wanted.count) * exactness
    }
    return choose(lists, { behind: asked.slice(read), met, least, count: wanted.count })
  }
}

function readAsked(lists: Lists, terms: readonly string[]): Asked[] {
  const norms = createNorms(averageLength(lists))
  const known = [...new Set(terms)].flatMap((term) => {
    const code = lists.codes.get(term)
    if (code === undefined) return []
    const rarity = rarityOfTerm(lists, term)
    const counted = lists.most.values[code] as number
    const bound = (rarity * most * counted) / (counted + norms.base + norms.step)
    return [{ term, code, rarity, bound }]
  })
  let behind = 0
  return known
    .toSorted((a, b) => a.bound - b.bound)
    .map((one) => {
      behind += one.bound
      return { ...one, bound: behind }
    })
    .reverse()
}

function addUp(
  lists: Lists,
  { code, rarity }: Asked,
  { met, mask }: { met: Met; mask: Uint8Array },
) {
  const { arena, start, used } = lists
  const { slots, sums } = met
  const lengths = lists.lengths.values
  const { base, step } = createNorms(averageLength(lists))
  const worth = rarity * most
  const postings = arena.values
  const from = start.values[code] as number
  const to = from + (used.values[code] as number)
  for (let at = from; at < to; at++) {
    const posting = postings[at] as number
    const slot = posting >>> countBits
    if (mask[slot] !== 1) continue
    const counted = posting & mostCounted
    const had = sums[slot] as number
    if (had === 0) push(slots, slot)
    sums[slot] = had + (worth * counted) / (counted + base + step * (lengths[slot] as number))
  }
}

/** To know what the best have at least takes a look at all that were met; their lists may be shorter. */
function canEnd(
  { used }: Lists,
  asked: readonly Asked[],
  { read, met }: { readonly read: number; readonly met: Met },
): boolean {
  const behind = asked.slice(read)
  const reached = (asked[0]?.bound ?? 0) - (behind[0]?.bound ?? 0)
  const postings = behind.reduce((sum, { code }) => sum + (used.values[code] as number), 0)
  return postings > met.slots.length && reached > (behind[0]?.bound ?? 0)
}

function leastOf({ slots, sums }: Met, count: number): number {
  const best = createBestSlots(count)
  for (let at = 0; at < slots.length; at++) {
    const slot = slots.values[at] as number
    best.offer(slot, sums[slot] as number)
  }
  return best.least()
}

interface Choice {
  readonly behind: readonly Asked[]
  readonly met: Met
  /** So much the best have, before what is behind. */
  readonly least: number
  readonly count: number
}

/** Leaves nothing of the sums behind. */
function choose(lists: Lists, { behind, met, least, count }: Choice): number[] {
  const { slots, sums } = met
  const terms = behind.map(({ term }) => term)
  const countsOf = createCounter(lists, terms)
  const scoreOf = createBm25(
    behind.map(({ rarity }) => rarity),
    averageLength(lists),
  )
  const bound = behind[0]?.bound ?? 0
  const best = createBestSlots(count)
  let needed = least - bound
  for (let at = 0; at < slots.length; at++) {
    const slot = slots.values[at] as number
    const sum = sums[slot] as number
    sums[slot] = 0
    if (sum < needed) continue
    const more = bound === 0 ? 0 : scoreOf(countsOf(slot), lists.lengths.values[slot] as number)
    best.offer(slot, sum + more)
    needed = Math.max(least, best.least() * exactness) - bound
  }
  return best.slots()
}
