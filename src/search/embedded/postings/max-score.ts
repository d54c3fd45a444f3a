import { createBm25, createNorms, most } from '../../ranking/bm25.ts'
import { createBestSlots } from '../../ranking/top-k.ts'
import { createGrowing, type Growing, push } from '../growable-array.ts'
import { nowhere } from '../string-table.ts'
import {
  averageLength,
  countBits,
  createCounter,
  type Lists,
  mostCounted,
  rarityOfTerm,
} from './posting-lists.ts'

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
 * their lists, which are the long ones, are not read: the texts that were met tell what they hold,
 * unless these are so many that to read is sooner done.
 */
export function createBestTexts(lists: Lists) {
  const met: Met = {
    slots: createGrowing((length) => new Int32Array(length)),
    sums: new Float32Array(0),
  }
  return (terms: readonly string[], { mask, count }: Wanted): number[] => {
    const asked = readAsked(lists, terms)
    if (met.sums.length < lists.lengths.length)
      met.sums = new Float32Array(lists.lengths.values.length)
    const { read, least } = readLists(lists, asked, { met, mask, count })
    const choice = { behind: asked.slice(read), met, least, count }
    if (!isSoonerRead(lists, choice)) return choose(lists, choice)
    for (const one of choice.behind) addUp(lists, one, { met, mask, onlyMet: true })
    return choose(lists, { ...choice, behind: [] })
  }
}

/** Gives how many lists were read, and what the best have at least. */
function readLists(
  lists: Lists,
  asked: readonly Asked[],
  { met, mask, count }: Wanted & { readonly met: Met },
) {
  let least = 0
  for (const [read, one] of asked.entries()) {
    if (one.bound < least) return { read, least }
    addUp(lists, one, { met, mask })
    if (canEnd(lists, asked, { read: read + 1, met })) least = leastOf(met, count) * exactness
  }
  return { read: asked.length, least }
}

function readAsked(lists: Lists, terms: readonly string[]): Asked[] {
  const norms = createNorms(averageLength(lists))
  const known = [...new Set(terms)].flatMap((term) => {
    const code = lists.terms.find(term)
    if (code === nowhere) return []
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
  { met, mask, onlyMet = false }: { met: Met; mask: Uint8Array; onlyMet?: boolean },
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
    const had = sums[slot] as number
    if (had === 0) {
      if (onlyMet || mask[slot] !== 1) continue
      push(slots, slot)
    }
    const counted = posting & mostCounted
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

function leastOf(met: Met, count: number): number {
  const best = createBestSlots(count)
  eachMet(met, 0, (slot, sum) => {
    best.offer(slot, sum)
    return best.least()
  })
  return best.least()
}

/** To ask a text what it holds takes as long as to read so many postings. */
const postingsPerText = 64

/** Whether it takes less time to read what is behind than to ask those that may be among the best. */
function isSoonerRead({ used }: Lists, { behind, met, least }: Choice): boolean {
  const postings = behind.reduce((sum, { code }) => sum + (used.values[code] as number), 0)
  const needed = least - (behind[0]?.bound ?? 0)
  let texts = 0
  eachMet(met, needed, () => {
    texts += 1
    return needed
  })
  return postings < postingsPerText * texts
}

/** What terms that were not read add to a slot. */
function createMore(lists: Lists, behind: readonly Asked[]): (slot: number) => number {
  if (behind.length === 0) return () => 0
  const counts = new Uint8Array(behind.length)
  const countTerms = createCounter(
    lists,
    behind.map(({ term }) => term),
  )
  const scoreOf = createBm25(
    behind.map(({ rarity }) => rarity),
    averageLength(lists),
  )
  return (slot) => {
    counts.fill(0)
    countTerms(slot, counts, 0)
    return scoreOf(counts, lists.lengths.values[slot] as number)
  }
}

/** Where so large a share of the slots was met, they are no longer looked up one by one. */
const manyMet = 1 / 8
/** In four bytes. */
const leastSum = 2 ** -149

/** Tells of those that have at least so much, and from then on as much as each answer says. */
function eachMet(
  { slots, sums }: Met,
  least: number,
  tell: (slot: number, sum: number) => number,
): void {
  const isMany = slots.length > manyMet * sums.length
  const count = isMany ? sums.length : slots.length
  let needed = Math.max(leastSum, least)
  for (let at = 0; at < count; at++) {
    const slot = isMany ? at : (slots.values[at] as number)
    const sum = sums[slot] as number
    if (sum >= needed) needed = Math.max(leastSum, tell(slot, sum))
  }
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
  const more = createMore(lists, behind)
  const bound = behind[0]?.bound ?? 0
  const best = createBestSlots(count)
  eachMet(met, least - bound, (slot, sum) => {
    best.offer(slot, sum + more(slot))
    return Math.max(least, best.least() * exactness) - bound
  })
  forget(met)
  return best.slots()
}

function forget({ slots, sums }: Met): void {
  if (slots.length > manyMet * sums.length) sums.fill(0)
  else for (let at = 0; at < slots.length; at++) sums[slots.values[at] as number] = 0
  slots.length = 0
}
