import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EngineQuery } from '../../engine.ts'
import type { Facts, MemoryRow, VectorRow } from '../../feed.ts'
import { loadWordPieces } from '../../tokens/token-similarity.ts'
import { facts, request } from '../columns/filter-mask.fixture.ts'
import { search } from '../search.ts'
import { fromSections, toSections } from '../snapshot/index-sections.ts'
import {
  CorruptSnapshot,
  openSections,
  type Sections,
  writeSections,
} from '../snapshot/sections.ts'
import { listLexicalHits, listVisible } from './plain-search.fixture.ts'
import {
  countVectors,
  createSearchIndex,
  isTextChanged,
  type SearchIndex,
  upsertMemory,
  upsertVector,
} from './search-index.ts'

const pieces = await loadWordPieces()
const identity = 'tiny'
const dims = 4
const words = ['apple', 'bread', 'cheese', 'dates', 'eggs', 'figs']
const textOf = (words: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...words), { maxLength, size: 'max' }).map((all) => all.join(' '))
const text = textOf([...words, '?'], 6)
const hints = fc.array(textOf(words, 3), { maxLength: 2 })
const vector = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: dims, maxLength: dims })
  .map((values) => Float32Array.from(values, (value) => value / 10))
const who: fc.Arbitrary<string> = fc.constantFrom('user', 'Apple', 'Bob')
const spoken = fc.tuple(facts, who).map(([facts, who]) => ({ ...facts, who }))

const change = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('keep' as const),
      facts: spoken,
      content: text,
      hints,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('revise' as const),
      facts: spoken,
      hints: fc.option(hints, { freq: 2, nil: undefined }),
    }),
  },
  fc.record({ does: fc.constant('purge' as const) }),
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('embed' as const),
      vectors: fc.array(vector, { maxLength: 3, size: 'max' }),
    }),
  },
)
type Change = typeof change extends fc.Arbitrary<infer Made> ? Made : never
const number = fc.nat(11)
const changes = fc.array(fc.tuple(number, change), { maxLength: 40, size: 'max' })

const someIds = fc.option(fc.uniqueArray(number.map(idOf), { maxLength: 8, size: 'max' }), {
  freq: 2,
  nil: undefined,
})
const query: fc.Arbitrary<EngineQuery> = fc
  .record({
    request,
    text: textOf([...words, 'Bob', '?'], 5),
    ids: someIds,
    vector: fc.option(vector, { nil: undefined }),
  })
  .map(({ request, vector, ...query }) => ({
    ...request,
    ...query,
    limit: 20,
    now: '2026-01-02T03:04:05.000Z',
    explain: true,
    vector: vector && { identity, values: vector },
  }))
const queries = fc.array(query, { minLength: 8, maxLength: 8 })

test('after random changes and restarts the index answers like a rebuilt one', async () => {
  const answered = { byWords: 0, byAll: 0 }
  await fc.assert(
    fc.asyncProperty(changes, changes, queries, async (changes, later, queries) => {
      const rows = createTable()
      const lived = await restart(live(createSearchIndex(), rows, changes))
      live(lived, rows, later)
      const restarted = await restart(lived)

      const built = createSearchIndex()
      for (const row of rows.memories()) upsertMemory(built, row, pieces.tokenize)
      for (const row of rows.vectors()) upsertVector(built, row)

      for (const query of queries) {
        const answer = (index: SearchIndex) =>
          search(index, query, { clock: () => 0, wordPieces: pieces }).candidates
        const candidates = answer(built)
        expect(answer(lived)).toEqual(candidates)
        expect(answer(restarted)).toEqual(candidates)
        const visible = listVisible(rows.memories(), query).map(({ id }) => id)
        expect(visible).toEqual(expect.arrayContaining(candidates.map(({ id }) => id)))
        answered.byAll += candidates.length > 0 ? 1 : 0

        const byWords = { ...query, vector: undefined }
        const hits = search(lived, byWords, { clock: () => 0 }).candidates.map(({ id }) => id)
        expect(hits.toSorted()).toEqual(listLexicalHits(rows.memories(), byWords))
        answered.byWords += hits.length > 0 ? 1 : 0
      }
    }),
  )
  expect(answered.byAll).toBeGreaterThan(40)
  expect(answered.byWords).toBeGreaterThan(40)
})

test('a vector with other dimensions than its model is ignored', () => {
  const index = createSearchIndex()
  const rows = createTable()
  const [row] = fc.sample(spoken, 1) as [Facts]
  for (const number of [1, 2])
    rows.apply(index, idOf(number), { does: 'keep', facts: row, content: 'apple', hints: [] })
  rows.apply(index, idOf(1), { does: 'embed', vectors: [Float32Array.of(1, 0, 0, 0)] })

  for (const vector of [
    [1, 0, 0],
    [1, 0, 0, 0, 0],
  ])
    rows.apply(index, idOf(2), { does: 'embed', vectors: [Float32Array.from(vector)] })

  expect(countVectors(index)).toBe(1)
})

test('a snapshot is consistent while the index changes', async () => {
  await fc.assert(
    fc.asyncProperty(changes, changes, async (changes, later) => {
      const rows = createTable()
      const index = live(createSearchIndex(), rows, changes)
      const atOnce = await toFile(toSections(index, 'this'))

      const sections = toSections(index, 'this')
      const waiting = [...later]
      const inSteps = await toFile(sections, () => {
        for (const [number, one] of waiting.splice(0, 2)) rows.apply(index, idOf(number), one)
      })
      sections.release()

      expect(inSteps.equals(atOnce)).toBe(true)
    }),
  )
})

test('a corrupt or foreign snapshot is ignored', async () => {
  const index = createSearchIndex()
  const rows = createTable()
  for (const [number, one] of fc.sample(changes, 1)[0] ?? []) rows.apply(index, idOf(number), one)
  const file = await toFile(toSections(index, 'this'))

  fc.assert(
    fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const broken = Buffer.from(file)
      broken[at] = (broken[at] ?? 0) ^ change
      for (const bytes of [broken, file.subarray(0, at), Buffer.concat([file, file.subarray(at)])])
        expect(() => read(bytes)).toThrow(CorruptSnapshot)
    }),
  )
  expect(read(file)).toBeDefined()
  expect(read(file, 'that')).toBeUndefined()
})

function idOf(number: number): string {
  return `memory-${number}`
}

function live(
  index: SearchIndex,
  rows: ReturnType<typeof createTable>,
  changes: readonly [number, Change][],
): SearchIndex {
  for (const [number, one] of changes) rows.apply(index, idOf(number), one)
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
  if (!sections) throw new CorruptSnapshot('It does not end as it should.')
  return fromSections(sections, source)
}

type Revision = Extract<Change, { readonly does: 'revise' }> & {
  readonly id: string
  readonly revision: number
}

/** The expected database: the last row of each memory, and vectors of its last embedded text. */
function createTable() {
  const rows = new Map<string, Extract<MemoryRow, { purged: false }>>()
  const embedded = new Map<string, VectorRow[]>()
  let revision = 0
  const insert = (index: SearchIndex, row: Extract<MemoryRow, { purged: false }>) => {
    rows.set(row.id, row)
    const isChanged = isTextChanged(index, row)
    upsertMemory(index, row, pieces.tokenize)
    if (isChanged) for (const vector of embedded.get(row.id) ?? []) upsertVector(index, vector)
  }
  /** The text is unchanged. */
  const revise = (index: SearchIndex, { id, revision, facts, hints }: Revision) => {
    const row = rows.get(id)
    if (!row) return
    const { contentHash } = row.facts
    insert(index, { ...row, revision, facts: { ...facts, contentHash }, hints: hints ?? row.hints })
  }
  const embed = (index: SearchIndex, memoryId: string, vectors: readonly Float32Array[]) => {
    const { contentHash } = rows.get(memoryId)?.facts ?? {}
    if (contentHash === undefined || vectors.length === 0) return
    const made = vectors.map((vector, passage) => ({
      memoryId,
      identity,
      passage,
      contentHash,
      vector,
      revision: ++revision,
    }))
    embedded.set(memoryId, made)
    for (const row of made) upsertVector(index, row)
  }
  return {
    apply: (index: SearchIndex, id: string, one: Change) => {
      revision += 1
      if (one.does === 'embed') embed(index, id, one.vectors)
      else if (one.does === 'revise') revise(index, { id, revision, ...one })
      else if (one.does === 'keep') {
        const { content, hints } = one
        const facts = { ...one.facts, contentHash: content }
        insert(index, { id, revision, purged: false, facts, content, hints })
      } else {
        rows.delete(id)
        embedded.delete(id)
        upsertMemory(index, { id, revision, purged: true }, pieces.tokenize)
      }
    },
    memories: () => [...rows.values()].toSorted((a, b) => a.revision - b.revision),
    vectors: () => [...embedded.values()].flat().toSorted((a, b) => a.revision - b.revision),
  }
}
