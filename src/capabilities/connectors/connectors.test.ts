import { mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { realHost } from '../../kernel/host/host.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { ada, documentsKit, documentsKitMigrations } from '../documents/documents.fixture.ts'
import { createDocuments } from '../documents/index.ts'
import {
  createConnector,
  readConnector,
  readHealth,
  removeConnector,
  type SyncMode,
  syncAll,
  syncConnector,
} from './manage.ts'
import { connectorMigrations } from './migrations.ts'
import type { ConnectorsNeeds } from './needs.ts'
import { resetSyncing } from './store.ts'
import { createSyncJob } from './sync/sync-job.ts'

const onEachEngine = testOnEachEngine([...documentsKitMigrations, ...connectorMigrations])

/** A folder with files, and a connector of it whose jobs run when the test runs them. */
async function connectorKit(db: Db, settings: object = {}) {
  const root = join(await temporaryFolder(), 'root')
  await mkdir(root)
  const documents = documentsKit(db)
  const queued: unknown[] = []
  const needs: ConnectorsNeeds = {
    ...documents.needs,
    host: realHost,
    home: root,
    documents: createDocuments(documents.needs),
    jobs: {
      cancel: async () => 0,
      enqueue: async (_, job) => {
        queued.push(job.payload)
        return { id: `sync-${queued.length}`, deduped: false }
      },
    },
  }
  const create = (provider: 'filesystem' | 'drive-docs' = 'filesystem') =>
    createConnector(needs, ada, {
      provider,
      displayName: undefined,
      settings: { rootPath: root, ...settings },
    })
  const id = await create()
  const job = createSyncJob(needs)
  /** Runs the job that a request has queued. */
  const run = (signal = new AbortController().signal) =>
    job.run({
      id: 'sync',
      attempt: 1,
      agentId: 'ada',
      subject: null,
      signal,
      payload: queued.pop(),
    })
  const sync = async (mode: SyncMode = 'incremental') => {
    await syncConnector(needs, ada, { id, mode })
    await run()
    return readHealth(needs, ada, id)
  }
  const write = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  /** Names of the live documents, sorted. */
  const list = async () => {
    const page = { folder: `${root}/`, after: '', limit: 100 }
    const owner = await readConnector(needs, ada, id)
    const files = await needs.documents.connectorFiles.listUnder(owner, page)
    return files.map(({ path }) => path.slice(root.length + 1)).toSorted()
  }
  const find = async (path: string) => {
    const owner = await readConnector(needs, ada, id)
    const found = await needs.documents.connectorFiles.find(owner, [join(root, path)])
    return found.get(join(root, path))
  }
  const ingest = async (path: string) => documents.ingest((await find(path))?.id ?? '')
  return {
    ...documents,
    documents: documents.needs,
    needs,
    root,
    id,
    create,
    run,
    sync,
    write,
    list,
    find,
    ingest,
  }
}

onEachEngine('a sync makes a document of each matching file', async (db) => {
  const { write, sync, list, ingest, read, find, root } = await connectorKit(db)
  await write('a.md', 'The moss is wet.')
  await write('deep/b.txt', 'The fern is dry.')
  await write('c.png', 'no text')
  await write('node_modules/d.md', 'ignored')
  await write('.git/e.md', 'ignored')

  expect(await sync()).toMatchObject({ status: 'idle', documentCount: 2, lastError: null })
  expect(await list()).toEqual(['a.md', 'deep/b.txt'])

  await ingest('a.md')
  const { id = '' } = (await find('a.md')) ?? {}
  expect(await read(id)).toMatchObject({
    status: 'done',
    source_type: 'file',
    source_url: join(root, 'a.md'),
    title: 'a.md',
    content: 'The moss is wet.',
  })
})

onEachEngine('an unchanged file is skipped and a changed one is read again', async (db) => {
  const { write, sync, find, ingest, read } = await connectorKit(db)
  await write('a.md', 'The moss is wet.')
  await sync()
  await ingest('a.md')
  const before = await find('a.md')

  await write('a.md', 'The moss is wet.')
  await sync()
  expect(await find('a.md')).toEqual(before)

  await write('a.md', 'The moss is dry.')
  await sync()
  expect(await find('a.md')).toMatchObject({ id: before?.id, status: 'queued' })
  await ingest('a.md')
  expect(await read(before?.id ?? '')).toMatchObject({
    status: 'done',
    content: 'The moss is dry.',
  })
})

onEachEngine('a change is seen whose time is rounded to before the last sync', async (db) => {
  const { write, sync, find, ingest, root } = await connectorKit(db)
  await write('a.md', 'The moss is wet.')
  const startedAt = realHost.now().getTime()
  await sync()
  await ingest('a.md')
  await write('a.md', 'The moss is dry.')
  const rounded = new Date(Math.floor(startedAt / 1_000) * 1_000 - 500)
  await utimes(join(root, 'a.md'), rounded, rounded)

  await sync()
  expect(await find('a.md')).toMatchObject({ status: 'queued' })
})

onEachEngine(
  'content that changes while it is read is not overwritten by the old one',
  async (db) => {
    const { write, sync, find, ingest, documents, read } = await connectorKit(db)
    await write('a.md', 'The moss is wet.')
    await sync()
    const { id = '' } = (await find('a.md')) ?? {}
    const { extractor } = documents.extraction
    const [slow] = createDocuments({
      ...documents,
      extraction: {
        extractor: {
          ...extractor,
          extract: async (input) => {
            await write('a.md', 'The moss is dry.')
            await sync('full')
            return extractor.extract(input)
          },
        },
      },
    }).jobs
    await slow?.run({
      id: 'job',
      payload: { documentId: id },
      attempt: 1,
      agentId: 'ada',
      subject: null,
      signal: new AbortController().signal,
    })

    expect(await find('a.md')).toMatchObject({ status: 'queued' })
    await ingest('a.md')
    expect(await read(id)).toMatchObject({ status: 'done', content: 'The moss is dry.' })
  },
)

onEachEngine('a file that was moved into the folder is read despite its old time', async (db) => {
  const { write, sync, list, root } = await connectorKit(db)
  await sync()
  await write('old.md', 'An old note.')
  await utimes(join(root, 'old.md'), 1_000_000, 1_000_000)

  await sync()
  expect(await list()).toEqual(['old.md'])
})

onEachEngine('a deleted file keeps its document until a full sync', async (db) => {
  const { write, sync, list, root } = await connectorKit(db)
  await write('a.md', 'The moss is wet.')
  await write('b.md', 'The fern is dry.')
  await sync()
  await rm(join(root, 'a.md'))

  await sync()
  expect(await list()).toEqual(['a.md', 'b.md'])
  expect(await sync('full')).toMatchObject({ documentCount: 1 })
  expect(await list()).toEqual(['b.md'])
})

onEachEngine('a missing folder is an error and deletes nothing', async (db) => {
  const { write, sync, list, root } = await connectorKit(db)
  await write('a.md', 'The moss is wet.')
  await sync()
  await rm(root, { recursive: true })

  expect(await sync('full')).toMatchObject({
    status: 'error',
    lastError: expect.stringContaining('does not exist'),
  })
  expect(await list()).toEqual(['a.md'])
})

onEachEngine('links, binary, empty and large files are skipped', async (db) => {
  const { write, sync, list, root } = await connectorKit(db, { maxFileSize: 100 })
  const outside = await temporaryFolder()
  await writeFile(join(outside, 'secret.md'), 'outside')
  await symlink(outside, join(root, 'folder'))
  await symlink(join(outside, 'secret.md'), join(root, 'link.md'))
  await write('binary.md', Buffer.from([104, 0, 105]))
  await write('empty.md', '')
  await write('large.md', 'x'.repeat(101))
  await write('fits.md', 'x'.repeat(100))

  await sync()
  expect(await list()).toEqual(['fits.md'])
})

onEachEngine('a sync in progress is not queued twice, and a start resets it', async (db) => {
  const { needs, id, create, run } = await connectorKit(db)
  const sync = () => syncConnector(needs, ada, { id, mode: 'incremental' })
  expect(await sync()).toBe(true)
  expect(await sync()).toBe(false)
  await resetSyncing(db, realHost.now().toISOString())
  expect(await readHealth(needs, ada, id)).toMatchObject({ status: 'idle' })

  // The job of the interrupted sync runs again.
  await run()
  expect(await readHealth(needs, ada, id)).toMatchObject({ status: 'idle' })
  const other = await create('drive-docs')
  await expect(syncConnector(needs, ada, { id: other, mode: 'full' })).rejects.toMatchObject({
    kind: 'not_implemented',
    message: 'Provider drive-docs not yet supported',
  })
  expect(await syncAll(needs, ada)).toEqual({ queued: [id], total: 2 })
})

onEachEngine('a deletion with cascade deletes the documents below the folder alone', async (db) => {
  const { write, sync, needs, id, add, read, find, run } = await connectorKit(db)
  await write('a.md', 'The moss is wet.')
  await sync()
  const file = await find('a.md')
  const other = await add({ sourceType: 'text', content: 'The fern is dry.' })

  await syncConnector(needs, ada, { id, mode: 'incremental' })
  await removeConnector(needs, ada, { id, cascade: true })
  // A run that was queued before adds nothing.
  await run()

  await expect(readConnector(needs, ada, id)).rejects.toMatchObject({ kind: 'not_found' })
  expect(await read(file?.id ?? '')).toMatchObject({
    status: 'deleted',
    error: 'Connector removed',
  })
  expect(await read(other.id)).toMatchObject({ status: 'queued' })
})

onEachEngine('the connector of another agent is as missing', async (db) => {
  const { needs, id } = await connectorKit(db)
  const bob = callerFor('bob')
  const missing = { kind: 'not_found' }
  await expect(readConnector(needs, bob, id)).rejects.toMatchObject(missing)
  await expect(removeConnector(needs, bob, { id, cascade: true })).rejects.toMatchObject(missing)
  await expect(syncConnector(needs, bob, { id, mode: 'full' })).rejects.toMatchObject(missing)
  expect(await syncAll(needs, bob)).toEqual({ queued: [], total: 0 })
})
