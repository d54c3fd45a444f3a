import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../../../kernel/db/migrations.ts'
import { engines, startPostgresAhead } from '../../../kernel/testing/engines.ts'
import { memoryMigrations } from '../migrations.ts'
import { nameMigration } from '../name-migrations.ts'
import { listByDecayedImportance } from './by-importance.ts'
import { findDrift } from './text-index.ts'
import { searchText } from './text-search.ts'

const now = new Date('2026-01-02T03:04:05.000Z')
const scope = { agentId: 'ada', policy: 'shared', groupAgents: [], project: null } as const

startPostgresAhead()

test.for(engines)(
  'a store of an earlier build has the same order and text index after the renames ($engine)',
  async ({ open }) => {
    const database = await open()
    const run = (text: string) => database.db.executeQuery(CompiledQuery.raw(text))
    const insert = (content: string, importance: number) =>
      run(`insert into memories (id, agent_id, visibility, content, content_hash, type, memory_kind,
          importance, pinned, who, source_type, extraction_status, version, revision, created_at,
          updated_at, updated_by)
        values ('${content}', 'ada', 'global', '${content}', '${content}', 'fact', 'episodic',
          ${importance}, 0, 'me', 'manual', 'none', 1, 1, '2026-01-01T00:00:00.000Z',
          '2026-01-01T00:00:00.000Z', 'me')`)
    const list = async () => {
      const memories = await listByDecayedImportance(database.db, {
        scope,
        now,
        limit: 10,
        minImportance: 0.1,
      })
      return memories.map(({ content }) => content)
    }
    const search = async (expression: string) => {
      const request = { expression, ranking: 'best', filter: {}, limit: 10 } as const
      return (await searchText(database.db, scope, request)).map(({ memory }) => memory.content)
    }
    await migrate(database, memoryMigrations.slice(0, memoryMigrations.indexOf(nameMigration)), now)
    await insert('harbour', 0.5)
    await insert('lighthouse', 0.9)

    await migrate(database, memoryMigrations, now)
    expect(await list()).toEqual(['lighthouse', 'harbour'])

    await insert('ferry', 0.7)
    await run(`update memories set content = 'beacon' where id = 'harbour'`)
    await run(`delete from memories where id = 'lighthouse'`)
    expect(await list()).toEqual(['ferry', 'beacon'])
    expect(await findDrift(database.db)).toBeUndefined()
    expect(await search('beacon')).toEqual(['beacon'])
    expect(await search('ferry')).toEqual(['ferry'])
    expect(await search('harbour OR lighthouse')).toEqual([])
  },
)
