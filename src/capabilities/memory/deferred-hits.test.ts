import { expect, test } from 'vitest'
import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import type { Db } from '../../kernel/db/database.ts'
import { openThreadReader } from '../../kernel/db/thread-reader.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { createTables } from '../../kernel/testing/create-tables.ts'
import {
  openTestPostgres,
  openTestSqlite,
  startPostgresAhead,
} from '../../kernel/testing/engines.ts'
import { agentsModule } from '../agents/index.ts'
import { giveFeedback } from './feedback.ts'
import { forget } from './forget.ts'
import { memoryNeeds, plain } from './memory.fixture.ts'
import { memoryMigrations } from './migrations.ts'
import { remember } from './remember.ts'
import { createMemorySearch } from './search.ts'
import type { MemoryFilters } from './search-request.ts'

const ada = callerFor('ada')
const at = '2026-01-02T03:04:05.000Z'
const bob: ReadScope = { agentId: 'bob', policy: 'shared', groupAgents: [], project: null }
const own: ReadScope = { ...bob, agentId: 'ada', policy: 'isolated' }
const as = (readScope: ReadScope, filters: Partial<MemoryFilters> = {}) => ({
  readScope,
  limit: 10,
  filters: { scope: null, ...filters },
})

startPostgresAhead()

test('a deferred select on another thread returns the same hits', async () => {
  const { db, file } = await openSqlite()
  const [open, hidden, gone, others] = await saveSome(db)
  const all = [open, hidden, gone, others]
  const search = createMemorySearch(db)
  const reader = openThreadReader(file)
  const readLate = (request: Parameters<typeof search.deferHits>[1], ids: string[]) => {
    const select = search.deferHits(at, request)
    return select && search.toDeferredHits(reader.readDeferred(select, ids))
  }

  for (const [readScope, visible] of [
    [own, [open, hidden]],
    [bob, [open, others]],
  ] as const) {
    const request = as(readScope)
    const found = await search.listFound({ ids: all, at }, request)
    expect(found.map(({ memory }) => memory.id).toSorted()).toEqual(visible.toSorted())
    expect(readLate(request, all)).toEqual(found)
    expect(readLate(request, [open])).toEqual(await search.listFound({ ids: [open], at }, request))
  }
  reader.close()
})

test('filtered requests are not deferred', async () => {
  const { db } = await openSqlite()
  const { deferHits: listFoundLater } = createMemorySearch(db)

  expect(listFoundLater(at, as(own))).toBeDefined()
  for (const request of [
    as({ ...own, policy: 'group', groupAgents: ['ada', 'bob'] }),
    as({ ...own, project: 'apollo' }),
    as(own, { type: 'fact' }),
    as(own, { tags: ['vim'] }),
    as(own, { scope: 'world' }),
    { ...as(own), asOf: at },
  ])
    expect(listFoundLater(at, request)).toBeUndefined()
})

test('a select on PostgreSQL names its parameters by position', async () => {
  const { db } = await openTestPostgres()

  const { sql = '', parameters, list } = createMemorySearch(db).deferHits(at, as(own)) ?? {}

  expect(sql.match(/\$\d+/g)).toHaveLength((parameters?.length ?? 0) + (list?.places ?? 0))
})

/** One for all, one for its agent alone, which has an opinion of it, one that was forgotten, and another agent's. */
async function saveSome(db: Db) {
  const { needs } = memoryNeeds(db)
  const keep = async (content: string, visibility: 'global' | 'private', by = ada) =>
    (await remember(needs, by, { ...plain(content), visibility })).memory.id
  const open = await keep('tabs for all', 'global')
  const hidden = await keep('tabs for ada', 'private')
  const gone = await keep('tabs of old', 'global')
  const others = await keep('tabs of bob', 'global', callerFor('bob'))
  await giveFeedback(needs, ada, { key: 'session', ratings: new Map([[hidden, 1]]) })
  await forget(needs, ada, { id: gone, reason: 'a test', ifVersion: undefined, force: false })
  return [open, hidden, gone, others] as const
}

async function openSqlite() {
  const database = await openTestSqlite()
  await createTables(database, [...agentsModule.migrations, ...memoryMigrations])
  return { db: database.db, file: database.file ?? '' }
}
