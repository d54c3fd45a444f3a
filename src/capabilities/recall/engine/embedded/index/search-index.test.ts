import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EngineQuery } from '../../engine.ts'
import type { MemoryRow, VectorRow } from '../../feed-rows.ts'
import { loadPieces } from '../../pieces/pieces.ts'
import { search } from '../search.ts'
import { fromSections, toSections } from '../snapshot/index-sections.ts'
import { NotWhole, openSections, type Sections, writeSections } from '../snapshot/sections.ts'
import { createSearchIndex, putMemory, putVector, type SearchIndex } from './search-index.ts'

const pieces = await loadPieces()
const identity = 'tiny'
const dims = 4
const words = ['apple', 'bread', 'cheese', 'dates', 'eggs', 'figs']
const text = fc.array(fc.constantFrom(...words, '?'), { maxLength: 6 }).map((all) => all.join(' '))
const vector = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: dims, maxLength: dims })
  .map((values) => Float32Array.from(values, (value) => value / 10))

const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('keep' as const), facts: factsOf() }) },
  fc.record({ does: fc.constant('purge' as const) }),
  fc.record({ does: fc.constant('embed' as const), vectors: fc.array(vector, { maxLength: 3 }) }),
)
type Change = typeof change extends fc.Arbitrary<infer Made> ? Made : never
const changes = fc.array(fc.tuple(fc.nat(8), change), { maxLength: 40 })

const query: EngineQuery = {
  text: 'apple and cheese?',
  vector: { identity, values: Float32Array.from([1, 0.5, 0, -0.5]) },
  readScope: { agentId: 'ada', policy: 'shared', groupAgents: [], project: null },
  filters: { scope: null },
  limit: 20,
  now: '2026-01-02T03:04:05.000Z',
  explain: true,
}

test('after any changes and restarts the index answers as one that is built anew', async () => {
  let answered = 0
  await fc.assert(
    fc.asyncProperty(changes, changes, text, async (changes, later, text) => {
      const kept = createTable()
      const lived = await restart(live(createSearchIndex(), kept, changes))
      live(lived, kept, later)
      const restarted = await restart(lived)

      const built = createSearchIndex()
      for (const row of kept.memories()) putMemory(built, row, pieces.read)
      for (const row of kept.vectors()) putVector(built, row)

      const asOf = '1970-01-01T00:00:00.004Z'
      for (const asked of [{}, { text }, { asOf }, { asOf, exceptSourceType: 'made' }]) {
        const answer = (index: SearchIndex) =>
          search(index, { ...query, ...asked }, { clock: () => 0, pieces }).candidates
        expect(answer(lived)).toEqual(answer(built))
        expect(answer(restarted)).toEqual(answer(built))
        if (answer(built).length > 0) answered += 1
      }
    }),
  )
  expect(answered).toBeGreaterThan(20)
})

test('a snapshot is of the moment when it was begun, whatever changes while it is written', async () => {
  await fc.assert(
    fc.asyncProperty(changes, changes, async (changes, later) => {
      const kept = createTable()
      const index = live(createSearchIndex(), kept, changes)
      const atOnce = await toFile(toSections(index, 'this'))

      const sections = toSections(index, 'this')
      const waiting = [...later]
      const inSteps = await toFile(sections, () => {
        for (const [number, one] of waiting.splice(0, 2)) kept.apply(index, `memory-${number}`, one)
      })
      sections.end()

      expect(inSteps.equals(atOnce)).toBe(true)
    }),
  )
})

test('a snapshot that is not whole, or of another database, is none', async () => {
  const index = createSearchIndex()
  const kept = createTable()
  for (const [number, one] of fc.sample(changes, 1)[0] ?? [])
    kept.apply(index, `memory-${number}`, one)
  const file = await toFile(toSections(index, 'this'))

  fc.assert(
    fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const broken = Buffer.from(file)
      broken[at] = (broken[at] ?? 0) ^ change
      for (const bytes of [broken, file.subarray(0, at), Buffer.concat([file, file.subarray(at)])])
        expect(() => read(bytes)).toThrow(NotWhole)
    }),
  )
  expect(read(file)).toBeDefined()
  expect(read(file, 'that')).toBeUndefined()
})

function live(
  index: SearchIndex,
  kept: ReturnType<typeof createTable>,
  changes: readonly [number, Change][],
): SearchIndex {
  for (const [number, one] of changes) kept.apply(index, `memory-${number}`, one)
  return index
}

async function restart(index: SearchIndex): Promise<SearchIndex> {
  const restored = read(await toFile(toSections(index, 'this')))
  if (!restored) throw new Error('The snapshot is of another database.')
  return restored
}

async function toFile(sections: Sections, between = () => {}): Promise<Buffer> {
  const pieces: Buffer[] = []
  await writeSections(sections, async (bytes) => {
    pieces.push(Buffer.from(bytes))
    between()
  })
  return Buffer.concat(pieces)
}

function read(file: Buffer, source = 'this'): SearchIndex | undefined {
  const sections = openSections({
    size: file.length,
    read: (at, into) => into.set(file.subarray(at, at + into.length)),
  })
  if (!sections) throw new NotWhole('It does not end as it should.')
  return fromSections(sections, source)
}

/** What the database would hold: the last row of each memory, and the vectors of its last words that were embedded. */
function createTable() {
  const rows = new Map<string, Extract<MemoryRow, { purged: false }>>()
  const embedded = new Map<string, VectorRow[]>()
  let revision = 0
  const keep = (index: SearchIndex, row: Extract<MemoryRow, { purged: false }>) => {
    rows.set(row.id, row)
    if (putMemory(index, row, pieces.read))
      for (const vector of embedded.get(row.id) ?? []) putVector(index, vector)
  }
  const embed = (index: SearchIndex, memoryId: string, vectors: readonly Float32Array[]) => {
    const { contentHash } = rows.get(memoryId)?.facts ?? {}
    if (contentHash === undefined || vectors.length === 0) return
    const made = vectors.map((vector, passage) => ({
      ...{ memoryId, identity, passage, contentHash, vector },
      revision: ++revision,
    }))
    embedded.set(memoryId, made)
    for (const row of made) putVector(index, row)
  }
  return {
    apply: (index: SearchIndex, id: string, one: Change) => {
      revision += 1
      if (one.does === 'embed') embed(index, id, one.vectors)
      else if (one.does === 'keep') keep(index, { ...one.facts, id, revision, purged: false })
      else {
        rows.delete(id)
        embedded.delete(id)
        putMemory(index, { id, revision, purged: true }, pieces.read)
      }
    },
    memories: () => [...rows.values()].toSorted((a, b) => a.revision - b.revision),
    vectors: () => [...embedded.values()].flat().toSorted((a, b) => a.revision - b.revision),
  }
}

function factsOf() {
  const facts = fc.record({
    agent: fc.constantFrom('ada', 'bob'),
    visibility: fc.constantFrom('global', 'private'),
    scope: fc.constant(null),
    project: fc.constant(null),
    session: fc.constantFrom(null, 'one', 'two'),
    type: fc.constant('fact'),
    who: fc.constantFrom('user', 'Apple', 'Bob'),
    sourceType: fc.constantFrom('manual', 'made'),
    tags: fc.constant(null),
    pinned: fc.boolean(),
    deleted: fc.boolean(),
    traits: fc.integer({ min: 0, max: 31 }),
    words: fc.integer({ min: 0, max: 99 }),
    importance: fc.constant(0.8),
    createdAt: fc.integer({ min: 1, max: 5 }),
    supersededAt: fc.constantFrom(Number.POSITIVE_INFINITY, 3),
    validity: fc.constantFrom(null, null, '1/4', '2/3,4/Infinity', '5/Infinity'),
  })
  return fc
    .record({ facts, content: text, hints: fc.array(text, { maxLength: 2 }) })
    .map((row) => ({ ...row, facts: { ...row.facts, contentHash: row.content } }))
}
