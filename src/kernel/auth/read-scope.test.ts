import { expect } from 'vitest'
import type { Migration } from '../db/migrations.ts'
import { testOnEachEngine } from '../testing/engines.ts'
import { mayRead, type ReadScope, readableBy } from './read-scope.ts'

const papers: Migration = {
  id: '1-papers',
  up: ({ schema }) =>
    schema
      .createTable('papers')
      .addColumn('agent_id', 'text')
      .addColumn('visibility', 'text')
      .addColumn('project', 'text')
      .execute(),
}

const visibilities = ['global', 'private', 'archived'] as const
const rows = ['ada', 'bob', 'eve'].flatMap((agentId) =>
  visibilities.flatMap((visibility) =>
    ['apollo', null].map((project) => ({ agentId, visibility, project })),
  ),
)
type Tables = { papers: (typeof rows)[number] }

const scopes: readonly [string, Partial<ReadScope>, number][] = [
  ['isolated: its own rows, except archived ones', { policy: 'isolated' }, 4],
  ['shared: global rows too', { policy: 'shared' }, 8],
  ['group: global rows of the group', { policy: 'group', groupAgents: ['ada', 'bob'] }, 6],
  ['group without members: its own rows', { policy: 'group', groupAgents: [] }, 4],
  ['shared within a project', { policy: 'shared', project: 'apollo' }, 4],
]

testOnEachEngine([papers])('SQL and the row check apply the same policy', async (db) => {
  const tables = db.withTables<Tables>()
  await tables.insertInto('papers').values(rows).execute()

  for (const [name, some, count] of scopes) {
    const scope = { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null, ...some }
    const readable = await tables
      .selectFrom('papers')
      .selectAll()
      .where(readableBy(scope as ReadScope, 'papers'))
      .execute()
    const expected = rows.filter((row) => mayRead(scope as ReadScope, row))

    expect(readable, name).toHaveLength(count)
    expect(readable, name).toEqual(expect.arrayContaining(expected))
    expect(expected, name).toHaveLength(count)
  }
})
