import type { MemoryRow } from '../../src/search/feed.ts'
import { createRandom, createRows } from '../support/rows.ts'

export const dims = 256
export const identity = 'invented'
const clusters = 500
/** Distance of a vector from the unit-length centre of its cluster. */
const spread = 0.8

export interface Invented {
  readonly content: string
  readonly vector: Float32Array
}

/** Creates contents like `createRows`, with unit vectors in clusters. */
export function createInvented() {
  const rows = createRows()
  const middles = Array.from({ length: clusters }, (_, at) => toDirection(createRandom(at + 1)))
  const vectorOf = (number: number) => {
    const random = createRandom(number + 2 ** 29)
    const middle = middles[Math.floor(random() * clusters)] ?? new Float32Array(dims)
    const own = toDirection(random)
    return toUnit(middle.map((value, at) => value + spread * (own[at] ?? 0)))
  }
  return {
    row: (number: number): Invented => ({
      content: rows.content(number),
      vector: vectorOf(number),
    }),
    question: (number: number): Invented => ({
      content: rows.question(number),
      vector: vectorOf(number + 2 ** 28),
    }),
  }
}

export function toMemory(number: number, content: string): MemoryRow {
  return {
    id: `memory-${number}`,
    revision: number + 1,
    purged: false,
    content,
    hints: [],
    facts: {
      agent: 'bench',
      visibility: 'global',
      scope: null,
      project: null,
      type: 'fact',
      session: `session-${Math.floor(number / 20)}`,
      who: 'user',
      sourceType: 'manual',
      tags: null,
      pinned: false,
      deleted: false,
      traits: 0,
      words: 30,
      importance: 0.8,
      createdAt: number,
      supersededAt: Number.POSITIVE_INFINITY,
      contentHash: `${number}`,
      validity: null,
    },
  }
}

function toDirection(random: () => number): Float32Array {
  const direction = new Float32Array(dims)
  for (let at = 0; at < dims; at++) direction[at] = random() + random() + random() - 1.5
  return toUnit(direction)
}

function toUnit(vector: Float32Array): Float32Array {
  let squares = 0
  for (const value of vector) squares += value * value
  const length = Math.sqrt(squares)
  for (let at = 0; at < dims; at++) vector[at] = (vector[at] as number) / length
  return vector
}
