import { expect, onTestFinished, test, vi } from 'vitest'
import { realHost } from '../../kernel/host/host.ts'
import { queryFor } from '../contract/harness.fixture.ts'
import { createNullEngine, type EngineHealth, type SearchEngine } from '../engine.ts'
import type { State as TableState } from './store/rows.ts'
import { createSwitchingEngine, type SwitchingNeeds } from './switching-engine.ts'

const tables: TableState = {
  rules: 7,
  swept: 0,
  seenMemory: 3,
  seenVector: 0,
  live: 3,
  held: 0,
}

test('a small database is searched in memory, and never asks for the tables', async () => {
  const { engine, memory, createServer } = openEngine({ rows: 10 })
  memory.health = { ...memory.health, state: 'ready', rows: 10 }

  expect(await answerOf(engine)).toBe('memory')
  engine.changed()
  expect(engine.health()).toEqual(memory.health)
  expect(createServer).not.toHaveBeenCalled()
})

test('a large database is searched on the server from the start', async () => {
  const { engine, server, createMemory } = openEngine({ rows: 11 })
  server.health = { ...server.health, state: 'ready' }

  expect(await answerOf(engine)).toBe('server')
  expect(createMemory).not.toHaveBeenCalled()
})

test('memory answers while the tables of a large database are built', async () => {
  const { engine, memory, server } = openEngine({ rows: 11 })
  memory.health = { ...memory.health, state: 'ready', rows: 11 }

  expect(await answerOf(engine)).toBe('memory')
  server.health = { ...server.health, state: 'ready' }

  expect(await answerOf(engine)).toBe('server')
  expect(memory.closed).toBe(true)
})

test('a database that grows moves to the server when its tables are complete', async () => {
  const { engine, memory, server, createServer } = openEngine({ rows: 10 })
  memory.health = { ...memory.health, state: 'ready', rows: 10 }
  expect(await answerOf(engine)).toBe('memory')

  memory.health = { ...memory.health, rows: 11 }
  engine.changed()
  await vi.waitFor(() => expect(createServer).toHaveBeenCalledOnce())
  expect(await answerOf(engine)).toBe('memory')
  expect(memory.closed).toBe(false)

  server.health = { ...server.health, state: 'ready' }
  engine.changed()
  expect(await answerOf(engine)).toBe('server')
  expect(memory.closed).toBe(true)
  expect(engine.health()).toEqual(server.health)
})

test('without pgvector a large index stays in memory, and the health says why', async () => {
  const problem = { text: 'install pgvector' as string | undefined }
  const { engine, memory, server, createServer } = openEngine({
    rows: 11,
    findProblem: async () => problem.text,
  })
  memory.health = { ...memory.health, state: 'ready', rows: 11 }

  expect(await answerOf(engine)).toBe('memory')
  expect(engine.health()).toEqual({ ...memory.health, oversized: 'install pgvector' })
  expect(createServer).not.toHaveBeenCalled()

  problem.text = undefined
  engine.changed()
  await vi.waitFor(() => expect(createServer).toHaveBeenCalledOnce())
  server.health = { ...server.health, state: 'ready' }
  expect(await answerOf(engine)).toBe('server')
  expect(engine.health()).toEqual(server.health)
})

test('a database that cannot be counted is searched in memory', async () => {
  const exceeds = async () => Promise.reject(new Error('no connection'))
  const { engine } = openEngine({ rows: 11, exceeds })

  expect(await answerOf(engine)).toBe('memory')
})

test('unlimited memory does not count rows', async () => {
  const exceeds = vi.fn(async () => true)
  const { engine } = openEngine({ rows: 11, exceeds, maxMemoryRows: Number.POSITIVE_INFINITY })

  expect(await answerOf(engine)).toBe('memory')
  expect(exceeds).not.toHaveBeenCalled()
})

test('tables that stay behind are emptied, and those of an active daemon are not', async () => {
  const seen = { revision: 3 }
  const emptyTables = vi.fn(async () => true)
  const readUnused = vi.fn(async () => ({ ...tables, seenMemory: seen.revision }))
  const { engine } = openEngine({ rows: 1, readUnused, emptyTables, timing: { unusedMs: 20 } })
  await answerOf(engine)

  for (; seen.revision < 8; seen.revision++) await review(engine, readUnused)
  await realHost.sleep(30)
  seen.revision++
  await review(engine, readUnused)
  expect(emptyTables).not.toHaveBeenCalled()

  await realHost.sleep(30)
  await review(engine, readUnused)
  await vi.waitFor(() =>
    expect(emptyTables.mock.calls).toEqual([[{ ...tables, seenMemory: seen.revision }]]),
  )
})

test('a closed engine closes both and refuses searches', async () => {
  const { engine, memory, server } = openEngine({ rows: 11 })
  await answerOf(engine)

  await engine.close()

  expect([memory.closed, server.closed]).toEqual([true, true])
  await expect(answerOf(engine)).rejects.toThrow('closed')
})

async function answerOf(engine: SearchEngine): Promise<string | undefined> {
  return (await engine.search(queryFor('cat'))).candidates[0]?.id
}

async function review(engine: SearchEngine, readUnused: ReturnType<typeof vi.fn>): Promise<void> {
  const before = readUnused.mock.calls.length
  engine.changed()
  await vi.waitFor(() => expect(readUnused.mock.calls.length).toBeGreaterThan(before))
}

/** Engines that answer with their names. */
function openEngine({ rows, ...more }: { readonly rows: number } & Partial<SwitchingNeeds>) {
  const [memory, server] = [createNamed('memory'), createNamed('server')]
  const createMemory = vi.fn(() => memory.engine)
  const createServer = vi.fn(() => server.engine)
  const engine = createSwitchingEngine({
    host: realHost,
    log: { info: () => undefined, warn: () => undefined },
    createMemory,
    createServer,
    maxMemoryRows: 10,
    exceeds: async (limit) => rows > limit,
    findProblem: async () => undefined,
    readUnused: async () => undefined,
    emptyTables: async () => true,
    ...more,
    timing: { serverStartMs: 60, reviewMs: 0, unusedMs: 1000, ...more.timing },
  })
  onTestFinished(() => engine.close())
  return { engine, memory, server, createMemory, createServer }
}

function createNamed(id: string) {
  const health: EngineHealth = { state: 'building', rows: 0, vectors: 0, revision: 0 }
  const evidence = { lexical: 0, soft: 0, vector: 0, hint: 0 }
  const candidate = { id, score: 1, source: 'keyword', evidence } as const
  const named = { health, closed: false }
  const engine: SearchEngine = {
    ...createNullEngine(),
    search: async () => ({ candidates: [candidate], timings: [] }),
    health: () => named.health,
    close: async () => {
      named.closed = true
    },
  }
  return Object.assign(named, { engine })
}
