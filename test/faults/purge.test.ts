import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listHolding, readVectorsOf } from '../support/inspect-database.ts'
import { listFilesHolding } from '../support/list-files-holding.ts'
import { forEachOf } from '../support/load.ts'
import { makeFolder } from '../support/make-folder.ts'
import { reverieOf } from '../support/run-reverie.ts'
import { type Service, startService } from '../support/start-service.ts'

const secret = 'swordfish'
const agent = 'quasimodo'

const pollOptions = { timeout: 30_000, interval: 50 }

test('rows purged with their agent leave tables, vectors, snapshots and exports', async () => {
  const workspace = await makeFolder()
  const config = { memory: { pipelineV2: { embeddingTracker: { pollMs: 100 } } } }
  const service = await startService({ workspace, engine: 'sqlite', config })
  onTestFinished(() => service.stop())
  for (const name of [agent, 'bob']) await service.ask('POST /api/agents', { body: { name } })
  const stays = await remember(service, 'what stays', 'ada')
  const long = await remember(service, `${secret} `.repeat(500), agent)
  const gone = await remember(service, `the word is ${secret}`, agent)
  const ids = [stays, long, gone]
  await tell(service, agent)
  await takeSnapshot(service)
  const vectors = ids.map((id) => readVectorsOf(workspace, id).map(inIndex))
  const listFound = () => Promise.all(vectors.map((some) => isInSnapshot(workspace, some)))
  await service.ask(`DELETE /api/memory/${gone}?reason=test`, { agent })
  expect(listHolding(workspace, secret)).toEqual(expect.arrayContaining(tablesOfWords))
  expect(listHolding(workspace, long)).toEqual(expect.arrayContaining(tablesOfIds))
  expect(listHolding(workspace, agent)).toContain('umap_cache')
  expect(await listFound()).toEqual([true, true, true])
  expect(await exportOf(service, agent)).toContain(secret)

  await purge(service, agent)

  // Job records of the agent remain for a while.
  expect(listHolding(workspace, agent).filter((table) => table !== 'jobs')).toEqual([])
  for (const one of ['ada', agent]) expect(await exportOf(service, one)).not.toContain(secret)
  // Purges are read with the next write.
  await remember(service, 'what is said next', 'ada')
  await vi.waitFor(
    async () => expect(await isInSnapshot(workspace, [secret])).toBe(false),
    pollOptions,
  )
  service.signal('SIGTERM')
  await service.ended
  expect(listHolding(workspace, secret)).toEqual([])
  for (const id of [long, gone]) expect(listHolding(workspace, id)).toEqual(['memory_purged'])
  expect(ids.map((id) => readVectorsOf(workspace, id).length)).toEqual([1, 0, 0])
  expect(await listFound()).toEqual([true, false, false])
  expect(await readdir(join(workspace, 'search'))).toEqual(['memories.snap'])
})

test('rows purged right before a stop are in no file, nor in free pages', async () => {
  const workspace = await makeFolder()
  const service = await startService({ workspace, engine: 'sqlite' })
  onTestFinished(() => service.stop())
  for (const name of [agent, 'bob']) await service.ask('POST /api/agents', { body: { name } })
  const numbers = Array.from({ length: 300 }, (_, number) => number)
  await forEachOf(numbers, async (number) => {
    await say(service, `${number} ${'far and wide '.repeat(number % 9)} ${secret}`, agent)
    await say(service, `what stays ${number}`, 'ada')
  })
  await takeSnapshot(service)
  expect(await listFilesHolding(workspace, secret)).toEqual(
    expect.arrayContaining(['memory/memories.db', 'search/memories.snap']),
  )

  await purge(service, agent)
  service.signal('SIGTERM')
  await service.ended

  expect(await listFilesHolding(workspace, secret)).toEqual([])
  expect(await listFilesHolding(workspace, 'what stays')).toContain('memory/memories.db')
})

const tablesOfWords = ['memories', 'memory_history', 'memories_fts_data', 'memories_terms']
const tablesOfIds = ['memory_vectors', 'session_recall_events']

/** A purge triggers a snapshot. */
async function takeSnapshot(service: Service): Promise<void> {
  await remember(service, 'what goes first', 'bob')
  await service.ask('POST /api/memory/recall', { body: { query: 'what goes first' }, agent: 'bob' })
  await purge(service, 'bob')
  await remember(service, 'what is said then', 'ada')
  await vi.waitFor(async () => {
    expect(await isInSnapshot(service.workspace, [secret])).toBe(true)
  }, pollOptions)
}

async function purge(service: Service, agent: string): Promise<void> {
  const purging = `DELETE /api/agents/${agent}?purge=true`
  expect(await service.ask(purging, { role: 'admin' })).toMatchObject({ status: 200 })
}

/** Whether any of the marks is present. */
async function isInSnapshot(
  workspace: string,
  some: readonly (string | Buffer)[],
): Promise<boolean> {
  const snapshot = await readFile(join(workspace, 'search', 'memories.snap'))
  return some.some((bytes) => snapshot.includes(bytes))
}

/** Vector components are stored as multiples of 1/127 of the largest. */
function inIndex(vector: Buffer): Buffer {
  const numbers = new Float32Array(new Uint8Array(vector).buffer)
  const step = Math.max(...numbers.map(Math.abs)) / 127
  return Buffer.from(Array.from(numbers, (number) => Math.round(number / step)))
}

/** Fills the session ledger, the counters and the projection cache. */
async function tell(service: Service, agent: string): Promise<void> {
  const body = { query: secret, sessionKey: 'one' }
  const { results } = (await service.ask('POST /api/memory/recall', { agent, body })).body
  expect(JSON.stringify(results)).toContain(secret)
  const projected = () => service.ask('GET /api/embeddings/projection', { agent })
  await expect.poll(async () => (await projected()).body['status']).toBe('cached')
}

/** Returns the id. */
async function say(service: Service, content: string, agent: string): Promise<string> {
  const reply = await service.ask('POST /api/memory/remember', { body: { content }, agent })
  expect(reply).toMatchObject({ status: 200 })
  return String(reply.body['id'])
}

async function remember(service: Service, content: string, agent: string): Promise<string> {
  const id = await say(service, content, agent)
  const reading = `GET /api/memory/${id}`
  const embedded = { embedding_model: 'static-en-256' }
  await vi.waitFor(
    async () => expect((await service.ask(reading, { agent })).body).toMatchObject(embedded),
    { timeout: 30_000 },
  )
  return id
}

async function exportOf(service: Service, agent: string): Promise<string> {
  const { run } = reverieOf(service, 'admin', agent)
  return (await run(['export', '-'])).stdout
}
