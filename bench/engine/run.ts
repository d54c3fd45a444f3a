// usage: node bench/engine/run.ts ROWS [--alone]
import {
  createSearchIndex,
  putMemory,
  putVector,
} from '../../src/capabilities/recall/engine/embedded/index/search-index.ts'
import { loadPieces } from '../../src/capabilities/recall/engine/embedded/pieces/pieces.ts'
import { createBestSlots } from '../../src/capabilities/recall/engine/embedded/ranking/best-slots.ts'
import { search } from '../../src/capabilities/recall/engine/embedded/search.ts'
import {
  fromSections,
  toSections,
} from '../../src/capabilities/recall/engine/embedded/snapshot/index-sections.ts'
import {
  readSections,
  toPieces,
} from '../../src/capabilities/recall/engine/embedded/snapshot/sections.ts'
import { readTerms } from '../../src/capabilities/recall/engine/embedded/text/terms.ts'
import { timeCalls } from '../support/timing.ts'
import { createInvented, type Invented, identity, toMemory } from './rows.ts'
import { createUsual } from './usual.ts'

const count = Number(process.argv[2] ?? 10_000)
const alone = process.argv.includes('--alone')
const questionsAsked = 200
const invented = createInvented()
const rows = Array.from({ length: count }, (_, at) => invented.row(at))
const questions = Array.from({ length: questionsAsked }, (_, at) => invented.question(at))
const questionAt = (number: number) => questions[number] as Invented
const pieces = await loadPieces()
const index = createSearchIndex()

const buildMs = stopwatch(() => {
  for (const [at, { content, vector }] of rows.entries()) {
    putMemory(index, toMemory(at, content), pieces.read)
    const memoryId = `memory-${at}`
    putVector(index, { memoryId, identity, passage: 0, revision: at + 1, vector })
  }
})
const file = Buffer.concat(toPieces(toSections(index, 'bench')))
const restoreMs = stopwatch(() => {
  const sections = readSections(
    (at, length) => Uint8Array.from(file.subarray(at, at + length)).buffer,
  )
  if (!sections || !fromSections(sections, 'bench')) throw new Error('The snapshot is not whole.')
})
const mask = new Uint8Array(count).fill(1)
const space = index.spaces.get(identity)
if (!space) throw new Error('There are no vectors.')

const ask = ({ content, vector }: Invented) =>
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
    { clock: () => 0, pieces },
  )

line(`| ${count} rows | p50 ms | p95 ms |`)
line('|---|---|---|')
await measure('hybrid recall, ranked', ask)
await measure('words', ({ content }) =>
  index.words.findBest(readTerms(content), { mask, count: 100 }),
)
await measure('vectors', ({ vector }) => space.search(vector, { mask, count: 100 }))
if (!alone) await measureUsual()
line(
  `build ${buildMs.toFixed(0)} ms, from a snapshot of ${(file.length / 1e6).toFixed(0)} MB in ${restoreMs.toFixed(0)} ms`,
)
line(`vectors: recall@10 ${recallOfVectors().toFixed(4)} against exact products`)
line(`resident ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`)

async function measureUsual(): Promise<void> {
  const usual = createUsual(rows)
  await measure('FTS5 bm25', ({ content }) => usual.searchWords(content))
  await measure('sqlite-vec', ({ vector }) => usual.searchVectors(vector))
  await measure('FTS5 and sqlite-vec', ({ content, vector }) => [
    usual.searchWords(content),
    usual.searchVectors(vector),
  ])
  usual.close()
}

async function measure(name: string, call: (question: Invented) => unknown): Promise<void> {
  for (let warm = 0; warm < 20; warm++) call(questionAt(warm))
  const { p50Ms, p95Ms } = await timeCalls({ count: questionsAsked, clients: 1 }, (number) =>
    call(questionAt(number)),
  )
  line(`| ${name} | ${p50Ms.toFixed(2)} | ${p95Ms.toFixed(2)} |`)
}

/** Of the ten that exact products put first, the share that is found. */
function recallOfVectors(): number {
  const asked = questions.slice(0, 20)
  const shares = asked.map(({ vector }) => {
    const exact = createBestSlots(10)
    for (const [slot, row] of rows.entries())
      exact.offer(
        slot,
        row.vector.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0),
      )
    const found = new Set(space?.search(vector, { mask, count: 10 }).nearest.whole)
    return exact.slots().filter((slot) => found.has(slot)).length / 10
  })
  return shares.reduce((sum, share) => sum + share, 0) / asked.length
}

function stopwatch(work: () => void): number {
  const started = performance.now()
  work()
  return performance.now() - started
}

function line(text: string): void {
  process.stdout.write(`${text}\n`)
}
