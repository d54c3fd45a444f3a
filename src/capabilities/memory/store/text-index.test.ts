import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { migrate } from '../../../kernel/db/migrations.ts'
import { createTables } from '../../../kernel/testing/create-tables.ts'
import { openTestSqlite } from '../../../kernel/testing/engines.ts'
import { memoryMigrations } from '../migrations.ts'
import { textIndexMigration } from '../text-index-migration.ts'
import { searchWords } from './text-index.fixture.ts'
import { searchText } from './text-search.ts'

const words = fc.stringMatching(/^(tea|milk|Ünïx|don't|\d{1,2})( (tea|milk|sugar)){0,3}$/)
/** Few rows, so that each of them lives through much. */
const row = fc.nat(5)
const step = fc.oneof(
  fc.record({ act: fc.constant('insert' as const), row, words }),
  fc.record({ act: fc.constant('rewrite' as const), row, words }),
  fc.record({ act: fc.constantFrom('forget', 'recover', 'purge', 'touch', 'hint'), row, words }),
  fc.record({ act: fc.constantFrom('vacuum', 'roll back'), row, words }),
)
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never

const now = '2026-01-02T00:00:00.000Z'
const texts: Readonly<Record<string, (id: string, words: string) => readonly string[]>> = {
  insert: (id, words) => [
    `insert into memories (id, agent_id, visibility, content, content_hash, type, memory_kind,
       importance, pinned, who, source_type, extraction_status, version, revision, created_at,
       updated_at, updated_by)
     values ('${id}', 'a', 'global', '${words}', '${id}', 'fact', 'episodic', 1, 0, 'me', 'manual',
       'none', 1, 1, '${now}', '${now}', 'me') on conflict (id) do nothing`,
  ],
  rewrite: (id, words) => [`update memories set content = '${words}' where id = '${id}'`],
  forget: (id) => [`update memories set deleted_at = '${now}' where id = '${id}'`],
  recover: (id) => [`update memories set deleted_at = null where id = '${id}'`],
  purge: (id) => [`delete from memories where id = '${id}'`],
  touch: (id) => [`update memories set version = version + 1 where id = '${id}'`],
  hint: (id, words) => [
    `insert into memory_hints (memory_id, agent_id, hint)
     select id, 'a', '${words}' from memories where id = '${id}' on conflict do nothing`,
  ],
  vacuum: () => ['vacuum'],
  'roll back': (id, words) => [
    'begin',
    `update memories set content = '${words}', deleted_at = null where id = '${id}'`,
    'rollback',
  ],
}

test('the text index equals a rebuilt index after any changes', async () => {
  const database = await openTestSqlite()
  const { db } = database
  const run = (text: string) => sql.raw(text).execute(db)
  await createTables(database, memoryMigrations)
  for (const index of ['memories_fts', 'memory_hints_fts'])
    await run(`create virtual table ${index}_words using fts5vocab(${index}, instance)`)

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      for (const text of steps.flatMap(toTexts)) await run(text)
      for (const index of ['memories_fts', 'memory_hints_fts']) {
        await run(`insert into ${index} (${index}, rank) values ('integrity-check', 1)`)
        const indexedWords = await readWords(db, index)
        await run(`insert into ${index} (${index}) values ('rebuild')`)
        expect(indexedWords).toEqual(await readWords(db, index))
      }
    }),
    { numRuns: 12 },
  )
})

test('a deleted memory stays in the text index until its purge, and only searches leave it out', async () => {
  const database = await openTestSqlite()
  const { db } = database
  const run = (text: string) => sql.raw(text).execute(db)
  const act = async (id: string, name: string) => {
    for (const text of texts[name]?.(id, `tea ${id}`) ?? []) await run(text)
  }
  const search = async () => {
    const scope = { agentId: 'a', policy: 'shared', groupAgents: [], project: null } as const
    const request = { expression: 'tea', ranking: 'best', filter: {}, limit: 1 } as const
    return (await searchText(db, scope, request)).map(({ memory }) => memory.id)
  }
  const indexedCount = async () => {
    await run(`insert into memories_fts (memories_fts, rank) values ('integrity-check', 1)`)
    return searchWords(db, 'tea')
  }
  const earlier = memoryMigrations.slice(0, memoryMigrations.indexOf(textIndexMigration))
  await migrate(database, earlier, new Date(now))
  for (const id of ['live', 'gone']) await act(id, 'insert')
  await act('gone', 'forget')
  expect(await indexedCount()).toBe(1)

  await migrate(database, memoryMigrations, new Date(now))
  expect(await indexedCount()).toBe(2)
  expect(await search()).toEqual(['live'])
  await act('gone', 'recover')
  await act('live', 'forget')
  expect(await indexedCount()).toBe(2)
  expect(await search()).toEqual(['gone'])
  await act('live', 'purge')
  expect(await indexedCount()).toBe(1)
})

function toTexts({ act, row, words }: Step): readonly string[] {
  return texts[act]?.(`row-${row}`, words.replaceAll("'", "''")) ?? []
}

/** Each word with the row and the place at which it stands. */
async function readWords(db: Db, index: string): Promise<unknown[]> {
  const { rows } = await sql.raw(`select * from ${index}_words order by 1, 2, 3, 4`).execute(db)
  return rows
}
