import { nowhere } from '../strings.ts'
import type { Lists } from './lists.ts'

/** Codes that share a bit of what tells at once that a term is not asked for. */
const bits = 256

/** Writes how often a slot holds each of these terms, in their order, where nothing but zeros stand. */
type CountTerms = (slot: number, into: Uint8Array, at: number) => void

export function createCounter(lists: Lists, terms: readonly string[]): CountTerms {
  const { ownStart, ownUsed, own, ownCounts } = lists
  const places = new Map<number, number>()
  const isPerhaps = new Uint8Array(bits)
  for (const [place, term] of terms.entries()) {
    const code = lists.terms.find(term)
    if (code === nowhere) continue
    places.set(code, place)
    isPerhaps[code % bits] = 1
  }
  return (slot, into, at) => {
    const held = own.values
    const from = ownStart.values[slot] ?? 0
    const to = from + (ownUsed.values[slot] ?? 0)
    for (let next = from; next < to; next++) {
      const code = held[next] as number
      if (isPerhaps[code % bits] === 0) continue
      const place = places.get(code)
      if (place !== undefined) into[at + place] = ownCounts.values[next] as number
    }
  }
}
