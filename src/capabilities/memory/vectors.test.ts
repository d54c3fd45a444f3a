import { expect, test, vi } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { createLog } from '../../kernel/log/log.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { createTables } from '../../kernel/testing/create-tables.ts'
import { openTestPostgres, testOnEachEngine } from '../../kernel/testing/engines.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { testServer } from '../../kernel/testing/test-server.ts'
import { readStaticModel } from '../../static-model/index.ts'
import { agentsModule } from '../agents/index.ts'
import { createEmbeddings, embeddingSettings, embeddingsModule } from '../embeddings/index.ts'
import { forget } from './forget.ts'
import { createMemory } from './index.ts'
import { countRows, memoryNeeds, plain } from './memory.fixture.ts'
import { memoryMigrations } from './migrations.ts'
import { createReadRecord } from './read.ts'
import { sweepExpired } from './sweep.fixture.ts'

const ada = callerFor('ada')
const model = readStaticModel()
const migrations = [...agentsModule.migrations, ...memoryMigrations, ...embeddingsModule.migrations]
const onEachEngine = testOnEachEngine(migrations)

onEachEngine('stores a memory and its vector atomically', async (db) => {
  const { memory, read } = await start(db)

  const saved = await memory.remember(ada, plain('a grey kitten'))
  const missing = { ...plain('a black cat'), supersedes: 'missing' }
  await expect(memory.remember(ada, missing)).rejects.toThrow('not_found')

  expect(saved.embedded).toBe(true)
  expect(await countRows(db, 'memoryVectors')).toBe(1)
  expect(await read(saved)).toMatchObject({ embeddingModel: 'static-en-256' })
})

onEachEngine('a duplicate adds no second vector', async (db) => {
  const { memory } = await start(db)
  await memory.remember(ada, plain('a grey kitten'))

  const again = await memory.remember(ada, plain('A grey kitten!'))

  expect(again).toMatchObject({ deduped: true, embedded: true })
  expect(await countRows(db, 'memoryVectors')).toBe(1)
})

onEachEngine('embeds long text by passages after the memory is stored', async (db) => {
  const { memory, read } = await start(db)

  const saved = await memory.remember(ada, plain('the harbour at night '.repeat(150)))

  expect(saved.embedded).toBe(true)
  expect(await countRows(db, 'memoryVectors')).toBeGreaterThan(3)
  expect(await read(saved)).toMatchObject({ embeddingModel: 'static-en-256' })
})

onEachEngine('a memory reports its embedding model, or none', async (db) => {
  const { memory, embeddings, settings, read } = await start(db, { provider: 'none' })
  const saved = await memory.remember(ada, plain('a grey kitten'))
  expect([saved.embedded, (await read(saved)).embeddingModel]).toEqual([false, null])

  settings.embedding = {}
  await embeddings.catchUp()
  expect(await read(saved)).toMatchObject({ embeddingModel: 'static-en-256' })
  settings.embedding = { provider: 'ollama', model: 'served', base_url: 'http://127.0.0.1:1' }
  await embeddings.catchUp()
  expect(await read(saved)).toMatchObject({ embeddingModel: 'served' })
})

onEachEngine('a purge deletes the vector', async (db) => {
  const { memory, needs } = await start(db)
  const { memory: gone } = await memory.remember(ada, plain('a grey kitten'))
  await memory.remember(ada, plain('a linker error'))
  await forget(needs, ada, { id: gone.id, reason: 'a test', force: false })

  await sweepExpired({ ...needs, host: fixedHost('2026-03-01T00:00:00.000Z') })

  expect(await countRows(db, 'memoryVectors')).toBe(1)
})

onEachEngine('health reports missing and orphaned vectors', async (db) => {
  const { memory, embeddings, call } = await start(db)
  const checks = async () => {
    const { checks } = (await call('embeddings.health')) as Health
    const unhealthy = checks.filter(({ name, status }) => status !== 'ok' && name !== 'coverage')
    return unhealthy.map(({ name }) => name)
  }
  const { memory: one } = await memory.remember(ada, plain('a grey kitten'))
  await memory.remember(ada, plain('a linker error'))
  await memory.remember(ada, plain('\u200b'))
  await embeddings.catchUp()
  expect(await checks()).toEqual([])

  const vectors = db.withTables<{ memoryVectors: { memoryId: string; contentHash: string } }>()
  const changing = vectors.updateTable('memoryVectors').set({ memoryId: 'missing' })
  await changing.where('memoryId', '=', one.id).execute()
  expect(await checks()).toEqual(['vec-table-sync', 'orphaned-embeddings'])

  await call('embeddings.backfill')
  await embeddings.settled()
  expect(await checks()).toEqual([])
})

test.skipIf(!testServer)('a purge deletes a vector that is written concurrently', async () => {
  const database = await openTestPostgres()
  await createTables(database, migrations)
  const { db } = database
  const [locked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { memory, embeddings, settings } = await start(db, { provider: 'none' }, async () => {
    locked.resolve()
    await held.promise
  })
  await memory.remember(ada, plain('a grey kitten'))
  settings.embedding = {}

  const embedding = embeddings.catchUp()
  await locked.promise
  const purging = transaction(db, async (db) => {
    for (const part of [memory, embeddings]) await part.agentRemoval.purge(db, 'ada')
  })
  await vi.waitFor(async () => expect(await countWaiting(db)).toBe(1), { timeout: 10_000 })
  held.resolve()
  await Promise.all([embedding, purging])

  expect([await countRows(db, 'memories'), await countRows(db, 'memoryVectors')]).toEqual([0, 0])
})

async function countWaiting(db: Db): Promise<number> {
  const locks = db.withTables<{ pgLocks: { granted: boolean } }>().selectFrom('pgLocks')
  return (await locks.select('granted').where('granted', '=', false).execute()).length
}

interface Health {
  readonly checks: readonly { readonly name: string; readonly status: string }[]
}

/** Those who keep memories and those who make vectors, each with the other, over one database. */
async function start(db: Db, embedding: object = {}, whenLocked = async () => {}) {
  const settings = { embedding }
  const { needs: given } = memoryNeeds(db)
  const embeddings = createEmbeddings({
    db,
    background: db,
    host: manualClockHost(),
    log: createLog('silent'),
    events: { emit: () => undefined },
    workspace: '.',
    credentials: { resolve: async () => undefined },
    readModel: () => model,
    batchSize: () => 8,
    pollMs: () => 5000,
    outbound: { fetch: async (_url, request) => answer(String(request?.body)) },
    config: () => embeddingSettings.schema.parse(settings.embedding),
  })
  const lockHashes: typeof memory.vectorSources.lockHashes = async (...which) => {
    const hashes = await memory.vectorSources.lockHashes(...which)
    await whenLocked()
    return hashes
  }
  const needs = { ...given, embeddings }
  const memory = createMemory(needs)
  embeddings.subjects.add({ ...memory.vectorSources, lockHashes })
  for (const { seal } of [...embeddings.extensionPoints, ...memory.extensionPoints]) seal()
  await embeddings.start()
  await embeddings.catchUp()
  const read = ({ memory }: { readonly memory: { readonly id: string } }) =>
    createReadRecord(needs)(ada, memory)
  const call = (name: string) =>
    embeddings.routes.find((route) => route.name === name)?.handle({ caller: ada } as never)
  return { memory, embeddings, settings, needs, read, call }
}

/** As a server with a model would. */
function answer(requestBody: string) {
  const { input } = JSON.parse(requestBody)
  const body = Buffer.from(JSON.stringify({ embeddings: [input].flat().map(() => [0.6, 0.8]) }))
  return { status: 200, headers: {}, url: '', body }
}
