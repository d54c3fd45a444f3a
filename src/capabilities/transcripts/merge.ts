import { removeTruncationMark } from './transcript.ts'

/** Relation of the incoming lines to the stored lines. */
type Relation = 'same' | 'extends' | 'overlaps' | 'shorter' | 'differs'

interface MergeResult {
  readonly relation: Relation
  /** The union of both; for `differs` the incoming lines. */
  readonly lines: readonly string[]
}

/** A shorter overlap may be coincidence, such as a greeting. */
const minOverlap = 2

/** Merges two contents. The result has no truncation mark. */
export function mergeContents(storedText: string, incoming: string) {
  const [before, received] = [removeTruncationMark(storedText), removeTruncationMark(incoming)]
  // Fast path without splitting: one content usually extends the other.
  if (isLinePrefix(before, received)) return { relation: 'extends', text: received } as const
  if (isLinePrefix(received, before)) return { relation: 'shorter', text: before } as const
  const { relation, lines } = mergeLines(toLines(before), toLines(received))
  return { relation, text: lines.join('\n') }
}

/** Whether `whole` starts with the lines of `text` and has more. */
export function isLinePrefix(text: string, whole: string): boolean {
  return whole.startsWith(text) && whole[text.length] === '\n'
}

function toLines(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n')
}

/** `extends`: starts with all stored lines. `overlaps`: starts within them. */
export function mergeLines(
  storedLines: readonly string[],
  incoming: readonly string[],
): MergeResult {
  const common = countCommon(storedLines, incoming)
  if (common === storedLines.length)
    return { relation: incoming.length === common ? 'same' : 'extends', lines: incoming }
  if (common === incoming.length) return { relation: 'shorter', lines: storedLines }
  const overlapStart = findOverlap(storedLines, incoming)
  if (overlapStart === undefined) return { relation: 'differs', lines: incoming }
  const newLines = incoming.slice(storedLines.length - overlapStart)
  if (newLines.length === 0) return { relation: 'shorter', lines: storedLines }
  return { relation: 'overlaps', lines: [...storedLines, ...newLines] }
}

/** The incoming lines after the longest overlap with the end of the stored lines. */
export function listNewLines(
  storedLines: readonly string[],
  incoming: readonly string[],
): readonly string[] {
  const maxLength = Math.min(storedLines.length, incoming.length)
  for (let length = maxLength; length > 0; length--) {
    const tail = storedLines.slice(storedLines.length - length)
    if (tail.every((line, index) => line === incoming[index])) return incoming.slice(length)
  }
  return incoming
}

function countCommon(a: readonly string[], b: readonly string[]): number {
  const maxLength = Math.min(a.length, b.length)
  for (let index = 0; index < maxLength; index++) if (a[index] !== b[index]) return index
  return maxLength
}

/** Where the stored suffix that prefixes the incoming lines starts. Linear (Knuth–Morris–Pratt). */
function findOverlap(
  storedLines: readonly string[],
  incoming: readonly string[],
): number | undefined {
  const borders = computeBorders(incoming)
  let matched = 0
  for (const line of storedLines) {
    while (matched > 0 && (matched === incoming.length || line !== incoming[matched]))
      matched = borders[matched - 1] ?? 0
    if (line === incoming[matched]) matched++
  }
  return matched >= minOverlap ? storedLines.length - matched : undefined
}

function computeBorders(lines: readonly string[]): readonly number[] {
  const borders = [0]
  let length = 0
  for (const line of lines.slice(1)) {
    while (length > 0 && line !== lines[length]) length = borders[length - 1] ?? 0
    if (line === lines[length]) length++
    borders.push(length)
  }
  return borders
}
