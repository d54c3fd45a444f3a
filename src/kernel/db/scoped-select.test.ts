import { expect } from 'vitest'
import { type ReadScope, readableBy } from '../auth/read-scope.ts'
import { testOnEachEngine } from '../testing/engines.ts'
import type { Db } from './database.ts'
import type { Migration } from './migrations.ts'
import { scopedSelect } from './scoped-select.ts'

const papers: Migration = {
  id: '1-papers',
  up: ({ schema }) =>
    schema
      .createTable('papers')
      .addColumn('title', 'text')
      .addColumn('agent_id', 'text')
      .addColumn('visibility', 'text')
      .addColumn('project', 'text')
      .execute(),
}
const onEachEngine = testOnEachEngine([papers])

interface Paper {
  readonly title: string
  readonly agentId: string
  readonly visibility: 'global' | 'private'
  readonly project: string | null
}

const tables = (db: Db) => db.withTables<{ papers: Paper }>()

const ada: ReadScope = { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null }
const bob: ReadScope = { ...ada, agentId: 'bob' }

async function savePapers(db: Db): Promise<void> {
  await tables(db)
    .insertInto('papers')
    .values(
      ['ada', 'bob', 'eve'].flatMap((agentId) => [
        { title: 'a', agentId, visibility: 'global', project: 'apollo' },
        { title: 'a', agentId, visibility: 'private', project: null },
        { title: 'b', agentId, visibility: 'global', project: null },
      ]),
    )
    .execute()
}

function createSelect() {
  const compiled: string[] = []
  const select = scopedSelect((db, scope, { title }: Pick<Paper, 'title'>) => {
    compiled.push(scope.policy)
    return tables(db)
      .selectFrom('papers')
      .select(['agentId', 'project'])
      .where('title', '=', title)
      .where(readableBy(scope, 'papers'))
      .orderBy('agentId')
      .orderBy('project')
  })
  return { compiled, select }
}

onEachEngine('who reads is filled in, and sees its own', async (db) => {
  await savePapers(db)
  const { compiled, select } = createSelect()

  for (const scope of [ada, bob]) {
    const { agentId } = scope
    expect(await select(db, scope, { title: 'b' })).toEqual([{ agentId, project: null }])
  }
  expect(compiled).toEqual(['isolated'])
})

onEachEngine('each kind of scope has its own select', async (db) => {
  await savePapers(db)
  const { compiled, select } = createSelect()
  const readers = async (scope: ReadScope) =>
    (await select(db, scope, { title: 'b' })).map(({ agentId }) => agentId)

  expect(await readers({ ...ada, policy: 'shared' })).toEqual(['ada', 'bob', 'eve'])
  expect(await readers(ada)).toEqual(['ada'])
  expect(await readers({ ...ada, policy: 'group', groupAgents: ['ada', 'eve'] })).toEqual([
    'ada',
    'eve',
  ])
  expect(await readers({ ...bob, policy: 'group', groupAgents: [] })).toEqual(['bob'])
  expect(compiled).toEqual(['shared', 'isolated', 'group', 'group'])
})

onEachEngine('a project narrows what is read, and another project reads other rows', async (db) => {
  await savePapers(db)
  const { select } = createSelect()
  const within = (project: string | null) => select(db, { ...ada, project }, { title: 'a' })

  expect(await within('apollo')).toEqual([{ agentId: 'ada', project: 'apollo' }])
  expect(await within('gemini')).toEqual([])
  expect(await within(null)).toHaveLength(2)
})
