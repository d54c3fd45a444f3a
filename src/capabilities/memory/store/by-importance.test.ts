import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { createTables } from '../../../kernel/testing/create-tables.ts'
import { openTestSqlite } from '../../../kernel/testing/engines.ts'
import { memoryNeeds, onEachEngine, plain } from '../memory.fixture.ts'
import { memoryMigrations } from '../migrations.ts'
import { remember } from '../remember.ts'
import { decayedImportanceQueries, listByDecayedImportance } from './by-importance.ts'

const ada = callerFor('ada')
const scope = { agentId: 'ada', policy: 'shared', groupAgents: [], project: null } as const
const now = new Date('2026-01-02T03:04:05.000Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()

onEachEngine('lists memories by decayed importance', async (db) => {
  const { needs } = memoryNeeds(db)
  const keep = (content: string, more: object) =>
    remember(needs, ada, { ...plain(content), ...more })
  await keep('old and dear', { importance: 1, createdAt: daysAgo(10) })
  await keep('new and dear', { importance: 0.9, createdAt: daysAgo(1) })
  await keep('new and cheap', { importance: 0.3, createdAt: daysAgo(0.5) })
  await keep('too old', { importance: 1, createdAt: daysAgo(40) })
  await keep('worth nothing', { importance: 0, createdAt: daysAgo(1) })
  await keep('old and pinned', { importance: 0, pinned: true, createdAt: daysAgo(400) })
  await keep('not yet', { importance: 1, createdAt: '2031-01-01T00:00:00.000Z' })
  await keep('of no calendar', { importance: 1, createdAt: '+012026-01-01T00:00:00.000Z' })

  const list = async (limit: number, project?: string) =>
    (await listByDecayedImportance(db, { scope, now, limit, minImportance: 0.2, project })).map(
      ({ content }) => content,
    )

  expect((await list(10)).toSorted()).toEqual([
    'new and cheap',
    'new and dear',
    'old and dear',
    'old and pinned',
  ])
  expect((await list(1)).toSorted()).toEqual(['new and dear', 'old and pinned'])
  expect(await list(10, '/elsewhere')).toEqual([])
})

onEachEngine('without a minimum lists memories of any age', async (db) => {
  const { needs } = memoryNeeds(db)
  await remember(needs, ada, { ...plain('a decision'), createdAt: daysAgo(4000) })
  const request = { scope, now, limit: 10, minImportance: 0 }

  expect(await listByDecayedImportance(db, request)).toMatchObject([{ content: 'a decision' }])
})

onEachEngine('skips private memories of another agent', async (db) => {
  const { needs } = memoryNeeds(db)
  await remember(needs, callerFor('bob'), { content: 'open', visibility: 'global' })
  await remember(needs, callerFor('bob'), { content: 'shut', visibility: 'private' })
  const list = async (policy: 'shared' | 'isolated') =>
    (
      await listByDecayedImportance(db, {
        scope: { ...scope, policy },
        now,
        limit: 10,
        minImportance: 0,
      })
    ).map(({ content }) => content)

  expect(await list('shared')).toEqual(['open'])
  expect(await list('isolated')).toEqual([])
})

test('reads in index order without a sort', async () => {
  const database = await openTestSqlite()
  await createTables(database, memoryMigrations)
  const queries = [undefined, '/p'].flatMap((project) =>
    decayedImportanceQueries(database.db, { scope, now, limit: 100, minImportance: 0.2, project }),
  )

  for (const query of queries) {
    const { sql: text, parameters } = query.compile()
    const { rows } = await database.db.executeQuery(
      CompiledQuery.raw(`explain query plan ${text}`, [...parameters]),
    )
    expect(JSON.stringify(rows)).toMatch(/USING INDEX memories_(pinned|decay_rank)/)
    expect(JSON.stringify(rows)).not.toContain('TEMP B-TREE')
  }
})
