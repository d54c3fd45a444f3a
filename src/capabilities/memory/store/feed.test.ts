import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { createTables } from '../../../kernel/testing/create-tables.ts'
import { openTestPostgres, openTestSqlite } from '../../../kernel/testing/engines.ts'
import { fixedHost } from '../../../kernel/testing/fixed-host.ts'
import { testServer } from '../../../kernel/testing/test-server.ts'
import { agentsModule } from '../../agents/index.ts'
import { forget } from '../forget.ts'
import { createMemory, memoryFeed, memoryFeedOfServer, memoryMigrations } from '../index.ts'
import { memoryNeeds, onEachEngine, plain } from '../memory.fixture.ts'
import { remember } from '../remember.ts'
import { sweepExpired } from '../sweep.fixture.ts'

const ada = callerFor('ada')
const onDay = (day: string) => fixedHost(`2026-${day}T03:04:05.000Z`)

test('the feed contains new and changed memories with their hints', async () => {
  const { needs, readFeed } = await openFeed()
  const hints = ['what of tabs', 'tabs or spaces']
  const { memory } = await remember(needs, ada, { ...plain('use tabs'), hints })
  const first = await readFeed()
  expect(first).toMatchObject([{ id: memory.id, purged: 0, content: 'use tabs', agentId: 'ada' }])
  expect(JSON.parse(String(first[0]?.['hints'])).toSorted()).toEqual(hints.toSorted())

  const { revision } = first[0] ?? {}
  await forget(needs, ada, { id: memory.id, ...byForce })
  expect(await readFeed(Number(revision))).toMatchObject([{ id: memory.id, purged: 0 }])
  expect(await readFeed(Number(revision))).not.toMatchObject([{ deletedAt: null }])

  await sweepExpired({ ...needs, host: onDay('03-01') })
  expect(await readFeed()).toMatchObject([{ id: memory.id, purged: 1, content: null }])
})

onEachEngine('a successor supersedes from its own creation time', async (db) => {
  const { needs } = memoryNeeds(db)
  const end = async (createdAt?: string) => {
    const content = `of ${createdAt}`
    const { memory } = await remember(needs, ada, plain(content))
    const successor = { ...plain(`not ${content}`), createdAt, supersedes: memory.id }
    const { memory: next } = await remember(needs, ada, successor)
    const rows = await readFeedOf(db)
    const [{ supersededAt } = {}] = rows.filter(({ id }) => id === memory.id)
    return { supersededAt, next, id: memory.id }
  }
  const now = needs.host.now().toISOString()

  expect(await end()).toMatchObject({ supersededAt: now })
  expect(await end('2999-01-01T00:00:00.000Z')).toMatchObject({ supersededAt: now })
  const { supersededAt, next, id } = await end('2020-06-01T00:00:00.000Z')
  expect(supersededAt).toBe('2020-06-01T00:00:00.000Z')

  const revisions = (await readFeedOf(db)).map(({ revision }) => Number(revision))
  const last = Math.max(...revisions)
  await forget(needs, ada, { id: next.id, ...byForce })
  await sweepExpired({ ...needs, host: onDay('03-01') })
  expect(await readFeedOf(db, last)).toMatchObject([
    { id, supersededAt: now, purged: 0 },
    { id: next.id, purged: 1 },
  ])
})

onEachEngine('the feed contains the validity and its changes', async (db) => {
  const { needs } = memoryNeeds(db)
  const validity = async () => (await readFeedOf(db)).map((row) => row['validity'])
  const valid = { facet: 'valid', startAt: '2020-01-01T00:00:00.000Z', endAt: null } as const
  const [from, until] = [valid.startAt, '2021-01-01T00:00:00.000Z']
  await remember(needs, ada, plain('always'))
  expect(await validity()).toEqual([null])

  const occurred = { ...valid, facet: 'occurred' } as const
  await remember(needs, ada, { ...plain('for a while'), spans: [occurred, valid] })
  expect(await validity()).toEqual([null, `${from}/`])
  const [, known] = await readFeedOf(db)

  await remember(needs, ada, { ...plain('for a while'), spans: [{ ...valid, endAt: until }] })
  const again = await readFeedOf(db, Number(known?.['revision']))
  expect(again).toMatchObject([{ id: known?.['id'], validity: `${from}/${until}` }])
  await remember(needs, ada, { ...plain('for a while'), spans: [{ ...valid, startAt: until }] })
  const both = String((await validity())[1]).split(',')
  expect(both.toSorted()).toEqual([`${from}/${until}`, `${until}/`])
})

test('pages of any size contain every memory of a removed agent', async () => {
  const { db, needs, readFeed } = await openFeed()
  for (const content of ['one', 'two', 'three']) await remember(needs, ada, plain(content))
  const known = await readFeed()
  await transaction(db, (db) => createMemory(needs).agentRemoval.purge(db, 'ada'))

  const gone: unknown[] = []
  let read = Number(known.at(-1)?.['revision'])
  for (;;) {
    const [row] = await readFeed(read, 1)
    if (!row) break
    expect(row['purged']).toBe(1)
    expect(Number(row['revision'])).toBeGreaterThan(read)
    read = Number(row['revision'])
    gone.push(row['id'])
  }
  expect(gone.toSorted()).toEqual(known.map((row) => row['id']).toSorted())
})

test.skipIf(!testServer)('who reads while many write misses nothing', async () => {
  const database = await openTestPostgres()
  await createTables(database, [...agentsModule.migrations, ...memoryMigrations])
  const { needs } = memoryNeeds(database.db)
  const writing = Array.from({ length: 60 }, (_, number) => {
    const request = plain(`number ${number}`)
    // Every third is a transaction with answers in between.
    const more = number % 3 === 0 ? { hints: [`hint of ${number}`] } : {}
    return remember(needs, callerFor(`agent ${number % 7}`), { ...request, ...more })
  })
  const state = { isOver: false }
  const written = Promise.all(writing).finally(() => {
    state.isOver = true
  })

  const receivedIds: unknown[] = []
  for (let read = 0, last = false; !last; ) {
    last = state.isOver
    const rows = await ask(database.db, memoryFeedOfServer.sql, [read, 50])
    receivedIds.push(...rows.map((row) => row['id']))
    read = Number(rows.at(-1)?.['revision'] ?? read)
    last &&= rows.length === 0
  }

  const writtenIds = (await written).map(({ memory }) => memory.id)
  expect(receivedIds.toSorted()).toEqual(writtenIds.toSorted())
})

test('the feed reads indexes without a sort', async () => {
  const { db } = await openFeed()
  const plan = await ask(db, `explain query plan ${memoryFeed.sql}`, [0, 10])
  const steps = plan.map((row) => String(row['detail']))
  expect(steps).toContain('MERGE (UNION ALL)')
  expect(steps.join()).toMatch(/SEARCH memories USING INDEX memories_revised .*memory_purged/)
  expect(steps.join()).not.toMatch(/SCAN memor|TEMP B-TREE/)
})

test('reads the newest revision without a scan', async () => {
  const { db, needs, readFeed } = await openFeed()
  const newest = async () => Number((await ask(db, memoryFeed.newestSql))[0]?.['revision'])
  expect(await newest()).toBe(0)
  const { memory } = await remember(needs, ada, plain('let me go'))
  expect(await newest()).toBe(Number((await readFeed()).at(-1)?.['revision']))

  await forget(needs, ada, { id: memory.id, ...byForce })
  await sweepExpired({ ...needs, host: onDay('02-02') })
  const [purged] = await readFeed()
  expect(await newest()).toBe(Number(purged?.['revision']))

  await sweepExpired({ ...needs, host: onDay('03-06') })
  expect(await readFeed()).toEqual([])
  expect(await newest()).toBe(Number(purged?.['revision']))
  const plan = await ask(db, `explain query plan ${memoryFeed.newestSql}`)
  expect(plan.map((row) => String(row['detail'])).join()).not.toMatch(/SCAN memor(?!y_revision)/)
})

onEachEngine('a reader that missed an old purge starts from scratch', async (db) => {
  const { needs } = memoryNeeds(db)
  const { memory } = await remember(needs, ada, plain('let me go'))
  await forget(needs, ada, { id: memory.id, ...byForce })
  await sweepExpired({ ...needs, host: onDay('02-02') })
  expect(await ask(db, memoryFeed.sweptSql)).toEqual([{ revision: 0 }])
  const record = 'select id, revision from memory_purged'
  const [purged] = await ask(db, record)
  expect(purged).toMatchObject({ id: memory.id })

  await sweepExpired({ ...needs, host: onDay('03-06') })
  expect(await ask(db, memoryFeed.sweptSql)).toEqual([{ revision: Number(purged?.['revision']) }])
  expect(await ask(db, record)).toEqual([])
})

const byForce = { reason: 'a test', force: true, ifVersion: undefined }

async function openFeed() {
  const database = await openTestSqlite()
  await createTables(database, [...agentsModule.migrations, ...memoryMigrations])
  const { db } = database
  const readFeed = (after = 0, limit = 100) => ask(db, memoryFeed.sql, [after, limit])
  return { db, needs: memoryNeeds(db).needs, readFeed }
}

function readFeedOf(db: Db, after = 0) {
  const feed = engineOf(db) === 'postgres' ? memoryFeedOfServer : memoryFeed
  return ask(db, feed.sql, [after, 100])
}

async function ask(db: Db, text: string, parameters: readonly number[] = []) {
  const query = CompiledQuery.raw(text, [...parameters])
  const { rows } = await db.executeQuery<Record<string, unknown>>(query)
  return rows
}
