import { linesIn } from './transcript.ts'

/** How what comes in relates to what is there. */
type Relation = 'same' | 'extends' | 'overlaps' | 'shorter' | 'differs'

interface Merged {
  readonly relation: Relation
  /** With whatever both know; for `differs` what came in. */
  readonly lines: readonly string[]
}

/** Fewer turns than these in common may be chance: a greeting, a yes. */
const leastOverlap = 2

/** Of two contents; what comes of them is lines without a mark. */
export function mergeContents(stored: string, incoming: string) {
  const [before, told] = [linesIn(stored), linesIn(incoming)]
  // Mostly one goes on where the other ends: that is seen without taking megabytes apart.
  if (isBeginning(before, told)) return { relation: 'extends', text: told } as const
  if (isBeginning(told, before)) return { relation: 'shorter', text: before } as const
  const { relation, lines } = mergeLines(toLines(before), toLines(told))
  return { relation, text: lines.join('\n') }
}

/** Whether the lines of one go on with those of the other. */
export function isBeginning(text: string, whole: string): boolean {
  return whole.startsWith(text) && whole[text.length] === '\n'
}

function toLines(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n')
}

/** `extends`: begins with all that is there. `overlaps`: begins where older turns were left out. */
export function mergeLines(stored: readonly string[], incoming: readonly string[]): Merged {
  const common = countCommon(stored, incoming)
  if (common === stored.length)
    return { relation: incoming.length === common ? 'same' : 'extends', lines: incoming }
  if (common === incoming.length) return { relation: 'shorter', lines: stored }
  const place = findOverlap(stored, incoming)
  if (place === undefined) return { relation: 'differs', lines: incoming }
  const news = incoming.slice(stored.length - place)
  if (news.length === 0) return { relation: 'shorter', lines: stored }
  return { relation: 'overlaps', lines: [...stored, ...news] }
}

/** What a few lines add behind those that are there: a turn told twice is one. */
export function listNews(
  stored: readonly string[],
  incoming: readonly string[],
): readonly string[] {
  const most = Math.min(stored.length, incoming.length)
  for (let length = most; length > 0; length--) {
    const tail = stored.slice(stored.length - length)
    if (tail.every((line, index) => line === incoming[index])) return incoming.slice(length)
  }
  return incoming
}

function countCommon(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length)
  for (let index = 0; index < most; index++) if (one[index] !== other[index]) return index
  return most
}

/** From where on all that is stored is what comes in first. Linear: borders as in Knuth, Morris and Pratt. */
function findOverlap(stored: readonly string[], incoming: readonly string[]): number | undefined {
  const borders = bordersOf(incoming)
  let matched = 0
  for (const line of stored) {
    while (matched > 0 && (matched === incoming.length || line !== incoming[matched]))
      matched = borders[matched - 1] ?? 0
    if (line === incoming[matched]) matched++
  }
  return matched >= leastOverlap ? stored.length - matched : undefined
}

function bordersOf(lines: readonly string[]): readonly number[] {
  const borders = [0]
  let length = 0
  for (const line of lines.slice(1)) {
    while (length > 0 && line !== lines[length]) length = borders[length - 1] ?? 0
    if (line === lines[length]) length++
    borders.push(length)
  }
  return borders
}
