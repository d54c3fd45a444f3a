import type { Lists } from './lists.ts'

/** Codes that share a bit of what tells at once that a term is not asked for. */
const bits = 256

/** Tells of a slot how often it holds each of these terms, in their order. */
export function createCounter(
  { codes, ownStart, ownUsed, own, ownCounts }: Lists,
  terms: readonly string[],
): (slot: number) => readonly number[] {
  const places = new Map<number, number>()
  const isPerhaps = new Uint8Array(bits)
  for (const [place, term] of terms.entries()) {
    const code = codes.get(term)
    if (code === undefined) continue
    places.set(code, place)
    isPerhaps[code % bits] = 1
  }
  return (slot) => {
    const counts = new Array<number>(terms.length).fill(0)
    const from = ownStart.values[slot] ?? 0
    const to = from + (ownUsed.values[slot] ?? 0)
    for (let at = from; at < to; at++) {
      const code = own.values[at] as number
      if (isPerhaps[code % bits] === 0) continue
      const place = places.get(code)
      if (place !== undefined) counts[place] = ownCounts.values[at] as number
    }
    return counts
  }
}
