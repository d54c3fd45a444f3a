import type { Turn } from './transcript.ts'

/** How what comes in relates to what is there. */
type Relation = 'same' | 'extends' | 'overlaps' | 'shorter' | 'differs'

export interface Merged {
  readonly relation: Relation
  /** With whatever both know; for `differs` what came in. */
  readonly turns: readonly Turn[]
}

/** Fewer turns than these in common may be chance: a greeting, a yes. */
const leastOverlap = 2

/** `extends`: begins with all that is there. `overlaps`: begins where older turns were left out. */
export function mergeTurns(stored: readonly Turn[], incoming: readonly Turn[]): Merged {
  const common = countCommon(stored, incoming)
  if (common === stored.length)
    return { relation: incoming.length === common ? 'same' : 'extends', turns: incoming }
  if (common === incoming.length) return { relation: 'shorter', turns: stored }
  const place = findOverlap(stored, incoming)
  if (place === undefined) return { relation: 'differs', turns: incoming }
  const news = incoming.slice(stored.length - place)
  if (news.length === 0) return { relation: 'shorter', turns: stored }
  return { relation: 'overlaps', turns: [...stored, ...news] }
}

/** What a few turns add behind those that are there: a turn told twice is one. */
export function listNews(stored: readonly Turn[], incoming: readonly Turn[]): readonly Turn[] {
  const most = Math.min(stored.length, incoming.length)
  for (let length = most; length > 0; length--) {
    const tail = stored.slice(stored.length - length)
    if (tail.every((turn, index) => isSame(turn, incoming[index]))) return incoming.slice(length)
  }
  return incoming
}

function countCommon(one: readonly Turn[], other: readonly Turn[]): number {
  const most = Math.min(one.length, other.length)
  for (let index = 0; index < most; index++) if (!isSame(one[index], other[index])) return index
  return most
}

/** From where on all that is stored is what comes in first. Linear: borders as in Knuth, Morris and Pratt. */
function findOverlap(stored: readonly Turn[], incoming: readonly Turn[]): number | undefined {
  const borders = bordersOf(incoming)
  let matched = 0
  for (const turn of stored) {
    while (matched > 0 && (matched === incoming.length || !isSame(turn, incoming[matched])))
      matched = borders[matched - 1] ?? 0
    if (isSame(turn, incoming[matched])) matched++
  }
  return matched >= leastOverlap ? stored.length - matched : undefined
}

function bordersOf(turns: readonly Turn[]): readonly number[] {
  const borders = [0]
  let length = 0
  for (const turn of turns.slice(1)) {
    while (length > 0 && !isSame(turn, turns[length])) length = borders[length - 1] ?? 0
    if (isSame(turn, turns[length])) length++
    borders.push(length)
  }
  return borders
}

function isSame(one: Turn | undefined, other: Turn | undefined): boolean {
  return one !== undefined && one.role === other?.role && one.text === other.text
}
