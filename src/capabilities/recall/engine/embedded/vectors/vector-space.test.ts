import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowsPerBlock } from './block-places.ts'
import { createVectorSpace, type VectorSpace } from './vector-space.ts'

const largeVector = (dims: number) =>
  fc.float32Array({ minLength: dims, maxLength: dims, min: -1, max: 1, noNaN: true })

const dims = 24
const slots = 10
const change = fc.oneof(
  fc.record({
    does: fc.constant('put' as const),
    slot: fc.nat(slots - 1),
    passage: fc.nat(3),
    vector: largeVector(dims),
  }),
  fc.record({ does: fc.constant('drop' as const), slot: fc.nat(slots - 1), from: fc.nat(2) }),
  fc.record({ does: fc.constant('move' as const), slot: fc.nat(slots - 1) }),
)

test('what is near is what exact products say, after any changes', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), largeVector(dims), (changes, query) => {
      const space = createVectorSpace(dims)
      const kept = new Map<string, Float32Array>()
      for (const one of changes) applyToBoth(space, kept, one)
      const mask = new Uint8Array(2 * slots).map((_, slot) => (slot % 5 === 0 ? 0 : 1))

      const { cosinesOf, nearest } = space.search(query, { mask, count: 3 })
      const cosines = cosinesOf([...mask.keys()])
      const whole = (slot: number) => cosines.whole[slot] ?? 0
      const passage = (slot: number) => cosines.passage[slot] ?? 0

      expect(space.rows()).toBe(kept.size)
      for (const slot of mask.keys()) {
        const exact = (part: number) => multiplyExact(kept.get(`${slot} ${part}`), query)
        if (mask[slot] === 0) continue
        expectNear(whole(slot), exact(0))
        expectNear(passage(slot), Math.max(exact(1), exact(2), exact(3)))
      }
      const seen = [...mask.keys()].filter((slot) => mask[slot] === 1)
      expect(nearest.whole).toEqual(sortBy(seen, whole).slice(0, 3))
      expect(nearest.passage).toEqual(sortBy(seen, passage).slice(0, 3))
    }),
  )
})

test('of many blocks the best are found, as near as they are', () => {
  const space = createVectorSpace(16)
  const count = 2 * rowsPerBlock + 10
  const vectorOf = (slot: number) =>
    Float32Array.from({ length: 16 }, (_, at) => Math.sin(slot * (at + 1)))
  for (let slot = 0; slot < count; slot++) space.put(slot, 0, vectorOf(slot))
  const query = vectorOf(0.5)

  const mask = new Uint8Array(count).fill(1)
  const { cosinesOf, nearest } = space.search(query, { mask, count: 10 })
  const { whole } = cosinesOf([...mask.keys()])

  const exact = Array.from({ length: count }, (_, slot) => multiplyExact(vectorOf(slot), query))
  const order = exact.map((_, slot) => slot).toSorted((a, b) => (exact[b] ?? 0) - (exact[a] ?? 0))
  for (const slot of order.slice(0, 10)) expect(whole[slot]).toBeCloseTo(exact[slot] ?? 0, 3)
  expect(nearest.whole).toEqual(order.slice(0, 10))
})

test.each([96, 256])(
  'of vectors of %d numbers that point anywhere the nearest are found',
  (dims) => {
    const space = createVectorSpace(dims)
    const count = 2 * rowsPerBlock
    const vectorOf = (slot: number) =>
      Float32Array.from({ length: dims }, (_, at) => Math.sin(97 * slot + 31 * at * at + at * slot))
    const vectors = Array.from({ length: count }, (_, slot) => vectorOf(slot))
    for (const [slot, vector] of vectors.entries()) space.put(slot, 0, vector)
    const mask = new Uint8Array(count).fill(1)

    for (let asked = 0; asked < 20; asked++) {
      const query = vectorOf(count + 0.37 * asked)
      const products = vectors.map((vector) => multiplyExact(vector, query))
      const order = [...mask.keys()].toSorted((a, b) => (products[b] ?? 0) - (products[a] ?? 0))
      expect(space.search(query, { mask, count: 10 }).nearest.whole).toEqual(order.slice(0, 10))
    }
  },
)

test('of vectors that nearly point the same way the nearest are found, as more come and after a restart', () => {
  const dims = 96
  const vectorOf = (slot: number) =>
    Float32Array.from({ length: dims }, (_, at) => 3 + Math.sin(slot * Math.sqrt(at + 2)))
  const vectors: Float32Array[] = []
  const grow = (space: VectorSpace, count: number) => {
    for (let slot = vectors.length; slot < count; slot++) {
      vectors.push(vectorOf(slot))
      space.put(slot, 0, vectorOf(slot))
    }
  }
  const expectNearest = (space: VectorSpace) => {
    const query = vectorOf(-7)
    const mask = new Uint8Array(vectors.length).fill(1)
    const products = vectors.map((vector) => multiplyExact(vector, query))
    const order = [...mask.keys()].toSorted((a, b) => (products[b] ?? 0) - (products[a] ?? 0))
    expect(space.search(query, { mask, count: 5 }).nearest.whole).toEqual(order.slice(0, 5))
  }
  const space = createVectorSpace(dims)
  for (const count of [60, 70, 1500]) {
    grow(space, count)
    expectNearest(space)
  }

  const { centre, slots, passages, blocks } = space.dump()
  expect(Math.max(...centre.map((value) => Math.abs(value - 3)))).toBeLessThan(0.2)
  const fill = (block: number, into: Uint8Array) => into.set(blocks.take(block))
  const restored = createVectorSpace(dims, { centre, slots, passages, fill })
  expectNearest(restored)
  grow(restored, 1600)
  expectNearest(restored)
})

test('as many as are wanted are found where those that are looked at first are nearer than all others', () => {
  const space = createVectorSpace(16)
  const count = 2 * rowsPerBlock
  const isNear = (slot: number) => slot % 17 === 0 && slot < 15 * 17
  const lengthOf = (slot: number) => (isNear(slot) ? 1 : 0.1) + slot / 1_000_000
  for (let slot = 0; slot < count; slot++)
    space.put(slot, 0, new Float32Array(16).fill(lengthOf(slot)))

  const mask = new Uint8Array(count).fill(1)
  const { nearest } = space.search(new Float32Array(16).fill(1), { mask, count: 20 })

  const order = [...mask.keys()].toSorted((a, b) => lengthOf(b) - lengthOf(a))
  expect(nearest.whole).toEqual(order.slice(0, 20))
})

/** The nearest first, the later of equals before the other; what is not near at all is left out. */
function sortBy(slots: readonly number[], cosine: (slot: number) => number): number[] {
  return slots.filter((slot) => cosine(slot) > 0).toSorted((a, b) => cosine(b) - cosine(a) || b - a)
}

function applyToBoth(
  space: ReturnType<typeof createVectorSpace>,
  kept: Map<string, Float32Array>,
  changed: typeof change extends fc.Arbitrary<infer Change> ? Change : never,
): void {
  const { slot } = changed
  if (changed.does === 'put') {
    space.put(slot, changed.passage, changed.vector)
    kept.set(`${slot} ${changed.passage}`, changed.vector)
  } else if (changed.does === 'drop') {
    space.drop(slot, changed.from)
    for (let part = changed.from; part <= 3; part++) kept.delete(`${slot} ${part}`)
  } else {
    space.drop(slot + slots)
    space.move(slot, slot + slots)
    for (const part of [0, 1, 2, 3]) {
      const vector = kept.get(`${slot} ${part}`)
      kept.delete(`${slot} ${part}`)
      kept.delete(`${slot + slots} ${part}`)
      if (vector) kept.set(`${slot + slots} ${part}`, vector)
    }
  }
}

/** What the coarse numbers take for no likeness at all is not looked at again. */
function expectNear(found: number | undefined, exact: number): void {
  if (found === 0) expect(exact).toBeLessThan(0.1)
  else expect(found).toBeCloseTo(exact, 3)
}

function multiplyExact(vector: Float32Array | undefined, query: Float32Array): number {
  if (!vector) return 0
  return Math.max(
    0,
    vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0),
  )
}
