import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowsPerBlock } from './block-layout.ts'
import { createVectorSpace, type VectorSpace } from './vector-space.ts'

const dims = 24
const slots = 30
const vector = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: dims, maxLength: dims })
  .map((values) => Float32Array.from(values, (value) => value / 10))
const change = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      does: fc.constant('put' as const),
      slot: fc.nat(slots - 1),
      passage: fc.nat(3),
      vector,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('drop' as const),
      slot: fc.nat(slots - 1),
      from: fc.nat(2),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('move' as const), slot: fc.nat(slots - 1) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('restart' as const) }) },
)
type Change = typeof change extends fc.Arbitrary<infer Made> ? Made : never

test('nearest neighbours equal exact products after random changes and restarts', () => {
  const searchInput = fc.record({
    query: vector,
    mask: fc.array(fc.nat(4), { minLength: 2 * slots, maxLength: 2 * slots }),
    count: fc.integer({ min: 1, max: 8 }),
  })
  const answered = { whole: 0, passage: 0 }
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 160, size: 'max' }),
      searchInput,
      (changes, searchInput) => {
        const { query, count } = searchInput
        const { space, restored } = live(changes)
        const mask = Uint8Array.from(searchInput.mask, (chance) => (chance === 0 ? 0 : 1))

        const { cosinesOf, nearest } = space.search(query, { mask, count })
        const cosines = cosinesOf([...mask.keys()])

        expect(space.rows()).toBe(restored.size)
        for (const slot of mask.keys()) {
          const exact = (part: number) => multiplyExact(restored.get(`${slot} ${part}`), query)
          expect(cosines.whole[slot]).toBeCloseTo(exact(0), 3)
          expect(cosines.passage[slot]).toBeCloseTo(Math.max(exact(1), exact(2), exact(3)), 3)
        }
        for (const kind of ['whole', 'passage'] as const) {
          const near = (slot: number) => cosines[kind][slot] ?? 0
          const hits = nearest[kind]
          const best = [...mask.keys()]
            .filter((slot) => mask[slot] === 1 && near(slot) > 0)
            .map(near)
          expect(hits.every((slot) => mask[slot] === 1)).toBe(true)
          expect(new Set(hits).size).toBe(hits.length)
          expect(hits.map(near)).toEqual(best.toSorted((a, b) => b - a).slice(0, count))
          answered[kind] += hits.length > 0 ? 1 : 0
        }
      },
    ),
  )
  expect(answered.whole).toBeGreaterThan(40)
  expect(answered.passage).toBeGreaterThan(40)
})

test('higher slots win ties of similarity', () => {
  const space = createVectorSpace(2)
  for (const slot of [3, 0, 4, 2, 1])
    for (const passage of [0, 1, 2]) space.put(slot, passage, Float32Array.of(1, 1))

  const mask = new Uint8Array(5).fill(1)
  const { nearest } = space.search(Float32Array.of(1, 0), { mask, count: 3 })

  expect(nearest).toEqual({ whole: [4, 3, 2], passage: [4, 3, 2] })
})

test('a dropped vector leaves no bytes', () => {
  const dumpWithout = (dropped: readonly number[]) => {
    const space = createVectorSpace(3)
    for (const slot of [0, 1])
      space.put(slot, 0, Float32Array.from(slot === 0 ? dropped : [3, 2, 1]))
    space.drop(0)
    return space.dump().blocks.read(0).slice()
  }

  expect(dumpWithout([1, 2, 3])).toEqual(dumpWithout([-3, 2, 5]))
})

test('top k across many blocks has exact cosines', () => {
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

    for (let step = 0; step < 20; step++) {
      const query = vectorOf(count + 0.37 * step)
      const products = vectors.map((vector) => multiplyExact(vector, query))
      const order = [...mask.keys()].toSorted((a, b) => (products[b] ?? 0) - (products[a] ?? 0))
      expect(space.search(query, { mask, count: 10 }).nearest.whole).toEqual(order.slice(0, 10))
    }
  },
)

test('top k of nearly parallel vectors is exact while the space grows and after a restart', () => {
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

  const { centroid, blocks } = space.dump()
  blocks.release()
  expect(Math.max(...centroid.map((value) => Math.abs(value - 3)))).toBeLessThan(0.2)
  const restored = restart(space)
  expectNearest(restored)
  grow(restored, 1600)
  expectNearest(restored)
})

test('a biased threshold sample does not lose hits', () => {
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

function live(changes: readonly Change[]) {
  const restored = new Map<string, Float32Array>()
  let space = createVectorSpace(dims)
  for (const one of changes)
    if (one.does === 'restart') space = restart(space)
    else applyToBoth(space, restored, one)
  return { space, restored }
}

function restart(space: VectorSpace): VectorSpace {
  const { blocks, ...rows } = space.dump()
  const fill = (block: number, into: Uint8Array) => into.set(blocks.read(block))
  return createVectorSpace(space.dims, { ...rows, fill })
}

function applyToBoth(
  space: VectorSpace,
  restored: Map<string, Float32Array>,
  changed: Exclude<Change, { readonly does: 'restart' }>,
): void {
  const { slot } = changed
  if (changed.does === 'put') {
    space.put(slot, changed.passage, changed.vector)
    restored.set(`${slot} ${changed.passage}`, changed.vector)
  } else if (changed.does === 'drop') {
    space.drop(slot, changed.from)
    for (let part = changed.from; part <= 3; part++) restored.delete(`${slot} ${part}`)
  } else {
    space.drop(slot + slots)
    space.move(slot, slot + slots)
    for (const part of [0, 1, 2, 3]) {
      const vector = restored.get(`${slot} ${part}`)
      restored.delete(`${slot} ${part}`)
      restored.delete(`${slot + slots} ${part}`)
      if (vector) restored.set(`${slot + slots} ${part}`, vector)
    }
  }
}

function multiplyExact(vector: Float32Array | undefined, query: Float32Array): number {
  let sum = 0
  for (let at = 0; at < query.length; at++) sum += (vector?.[at] ?? 0) * (query[at] ?? 0)
  return Math.max(0, sum)
}
