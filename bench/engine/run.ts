// usage: node bench/engine/run.ts ROWS [--alone]
import {
  createSearchIndex,
  upsertMemory,
  upsertVector,
} from '../../src/search/embedded/index/search-index.ts'
import { search } from '../../src/search/embedded/search.ts'
import { fromSections, toSections } from '../../src/search/embedded/snapshot/index-sections.ts'
import { openSections, writeSections } from '../../src/search/embedded/snapshot/sections.ts'

import { createScanHelper } from '../../src/search/embedded/vectors/helper/scan-helper.ts'
import { createTopK } from '../../src/search/ranking/top-k.ts'
import { readTerms } from '../../src/search/text/terms.ts'
import { loadWordPieces } from '../../src/search/tokens/token-similarity.ts'
import { timeCalls } from '../support/timing.ts'
import { type Baseline, createBaseline } from './baseline.ts'
import { createInvented, type Invented, identity, toMemory } from './rows.ts'

const count = Number(process.argv[2] ?? 10_000)
const alone = process.argv.includes('--alone')
const queryCount = 200
/** The baseline takes a second per query with a million rows. */
const baselineQueryCount = 60
const invented = createInvented()
const questions = Array.from({ length: queryCount }, (_, at) => invented.question(at))
const questionAt = (number: number) => questions[number] as Invented
const exact = questions.slice(0, 20).map(({ vector }) => ({ vector, best: createTopK(10) }))
const pieces = await loadWordPieces()
const index = createSearchIndex()
const helper = createScanHelper({ onWarning: line })

const baseline = alone ? undefined : createBaseline()

let buildMs = 0
for (let at = 0; at < count; at++) {
  const row = invented.row(at)
  buildMs += stopwatch(() => {
    upsertMemory(index, toMemory(at, row.content), pieces.tokenize)
    const { vector } = row
    const of = { memoryId: `memory-${at}`, contentHash: `${at}` }
    upsertVector(index, { ...of, identity, passage: 0, revision: at + 1, vector })
  })
  baseline?.add(at, row)
  for (const { vector, best } of exact) best.push(at, multiply(vector, row.vector))
}
baseline?.ready()
const mask = new Uint8Array(count).fill(1)
const space = index.spaces.get(identity)
if (!space) throw new Error('There are no vectors.')

const recall = ({ content, vector }: Invented) =>
  search(
    index,
    {
      text: content,
      vector: { identity, values: vector },
      readScope: { agentId: 'bench', policy: 'shared', groupAgents: [], project: null },
      filters: { scope: null },
      limit: 10,
      now: '2026-01-01T00:00:00.000Z',
    },
    { clock: () => 0, wordPieces: pieces, helper },
  )

line(`| ${count} rows | p50 ms | p95 ms |`)
line('|---|---|---|')
const hybridMs = await measure('hybrid recall, ranked', recall)
const wordsMs = await measure('words', ({ content }) =>
  index.words.topK(readTerms(content), { mask, count: 100 }),
)
await measure('vectors', ({ vector }) => space.beginSearch(vector, helper)({ mask, count: 100 }))
if (baseline) await measureBaseline(baseline)
line(`vectors: recall@10 ${recallOfVectors().toFixed(4)} against exact products`)
line(`build ${buildMs.toFixed(0)} ms, ${await describeSnapshot()}`)
line(`resident ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`)

async function measureBaseline({ searchWords, searchVectors, close }: Baseline): Promise<void> {
  const bm25Ms = await measure(
    'FTS5 bm25',
    ({ content }) => searchWords(content),
    baselineQueryCount,
  )
  await measure('sqlite-vec', ({ vector }) => searchVectors(vector), baselineQueryCount)
  const bothMs = await measure(
    'FTS5 and sqlite-vec',
    ({ content, vector }) => [searchWords(content), searchVectors(vector)],
    baselineQueryCount,
  )
  close()
  line(`words ${(bm25Ms / wordsMs).toFixed(1)} times as fast as FTS5, by medians`)
  line(`hybrid recall ${(bothMs / hybridMs).toFixed(1)} times as fast as FTS5 and sqlite-vec`)
}

/** Returns the median. */
async function measure(
  name: string,
  call: (question: Invented) => unknown,
  callCount = queryCount,
): Promise<number> {
  // Warms up, because a running service is compiled; SQLite needs no warm-up.
  const warmed = callCount === queryCount ? 3 * callCount : 20
  for (let warm = 0; warm < warmed; warm++) call(questionAt(warm % callCount))
  const { p50Ms, p95Ms } = await timeCalls({ count: callCount, clients: 1 }, (number) =>
    call(questionAt(number)),
  )
  line(`| ${name} | ${p50Ms.toFixed(2)} | ${p95Ms.toFixed(2)} |`)
  return p50Ms
}

/** Returns recall@10 against the exact top ten. */
function recallOfVectors(): number {
  const shares = exact.map(({ vector, best }) => {
    const found = new Set(space?.search(vector, { mask, count: 10 }).nearest.whole)
    return best.slots().filter((slot) => found.has(slot)).length / 10
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

async function describeSnapshot(): Promise<string> {
  const pieces: Buffer[] = []
  await writeSections(toSections(index, 'bench'), async (bytes) => pieces.push(Buffer.from(bytes)))
  const file = Buffer.concat(pieces)
  const restoreMs = stopwatch(() => {
    const read = (at: number, into: Uint8Array) => into.set(file.subarray(at, at + into.length))
    const sections = openSections({ size: file.length, read })
    if (!sections || !fromSections(sections, 'bench')) throw new Error('The snapshot is not whole.')
  })
  return `from a snapshot of ${(file.length / 1e6).toFixed(0)} MB in ${restoreMs.toFixed(0)} ms`
}

function multiply(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number)
  return sum
}

function stopwatch(work: () => void): number {
  const started = performance.now()
  work()
  return performance.now() - started
}

function line(text: string): void {
  process.stdout.write(`${text}\n`)
}
