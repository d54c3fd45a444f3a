import { array, assert, asyncProperty, constantFrom, nat, record } from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { mayRead, type ReadScope } from '../../../kernel/auth/read-scope.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { DatabaseConflict } from '../../../kernel/db/database-error.ts'
import { type Migration, migrate } from '../../../kernel/db/migrations.ts'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { engines, testOnEachEngine } from '../../../kernel/testing/engines.ts'
import { fixedHost } from '../../../kernel/testing/fixed-host.ts'
import { agentsModule } from '../../agents/index.ts'
import { embeddingsModule, vectorSql } from '../../embeddings/index.ts'
import { countMigration } from '../count-migrations.ts'
import { forget, recover } from '../forget.ts'
import { memoryModule } from '../index.ts'
import { isRefusal, memoryNeeds } from '../memory.fixture.ts'
import type { MemoryNeeds } from '../needs.ts'

import { remember } from '../remember.ts'
import { supersede } from '../supersede.ts'
import { updateMemory } from '../update.ts'
import { readListStats } from './lists.ts'
import { archiveMemories, purgeAgent, purgeExpired } from './purge.ts'

import { tables } from './rows.ts'

const migrations = [
  ...agentsModule.migrations,
  ...embeddingsModule.migrations,
  ...memoryModule.migrations,
]
const identities = ['tiny', 'large']
const vectors = sql.table(vectorSql.table)
const models = sql.table(vectorSql.modelTable)
const agentIds = ['ada', 'bob']
const optionalTexts = [undefined, 'garden', 'shed']
const at = '2030-01-01T00:00:00.000Z'

interface Change {
  readonly index: number
  readonly agentId: string
  readonly visibility: 'global' | 'private'
  readonly scope: string | undefined
  readonly project: string | undefined
  readonly importance: number
  readonly identity: string
}

interface Target {
  readonly db: Db
  readonly needs: MemoryNeeds
  /** Ids of a memory and of its neighbour. */
  readonly id: string
  readonly nextId: string
}

type Action = (target: Target, change: Change) => Promise<unknown>

const reason = { reason: 'a test', ifVersion: undefined }

const actions: Readonly<Record<string, Action>> = {
  remember: ({ needs }, { agentId, visibility, scope, project, importance }) =>
    remember(needs, callerFor(agentId), {
      content: `note ${needs.host.newId()}`,
      visibility,
      scope,
      project,
      importance,
    }),
  forget: ({ needs, id }, { agentId }) =>
    forget(needs, callerFor(agentId), { ...reason, id, force: true }),
  recover: ({ needs, id }, { agentId }) => recover(needs, callerFor(agentId), { ...reason, id }),
  supersede: ({ needs, id, nextId }, { agentId }) =>
    supersede(needs, callerFor(agentId), { id, supersededBy: nextId, reason: null }),
  weigh: ({ needs, id }, { agentId, importance }) =>
    updateMemory(needs, callerFor(agentId), { ...reason, id, importance }),
  move: ({ db, id }, { scope = '', project = '', visibility }) =>
    tables(db)
      .updateTable('memories')
      .set({ scope, project, visibility })
      .where('id', '=', id)
      .execute(),
  publish: ({ db }, { agentId }) =>
    tables(db)
      .updateTable('memories')
      .set({ visibility: 'global', supersededBy: null })
      .where('agentId', '=', agentId)
      .execute(),
  archive: ({ db }, { agentId }) => archiveMemories(db, agentId),
  purgeDeleted: async ({ db }) => {
    const rows = await tables(db).selectFrom('memories').select('id').execute()
    await purgeExpired(db, { ids: ['none', ...rows.map(({ id }) => id)], before: at, at })
  },
  purgeAgent: ({ db }, { agentId }) => purgeAgent(db, { agentId, at }),
  embed: ({ db, id }, { identity }) => embed(db, identity, sql`where id = ${id}`),
  embedAll: ({ db }, { identity }) => embed(db, identity, sql`where 1 = 1`),
  dropVectors: ({ db, id }) => sql`delete from ${vectors} where memory_id = ${id}`.execute(db),
  dropModel: ({ db }, { identity }) =>
    sql`delete from ${vectors} where identity = ${identity}`.execute(db),
}

/** Gives memories one whole vector and one passage of the model. */
async function embed(db: Db, identity: string, condition: RawBuilder<unknown>): Promise<void> {
  for (const passage of [0, 1])
    await sql`insert into ${vectors}
        (memory_id, agent_id, identity, passage, dims, content_hash, vector, created_at)
      select id, agent_id, ${identity}, ${sql.lit(passage)}, 0, '', ${Buffer.alloc(0)}, ''
      from memories ${condition} on conflict do nothing`.execute(db)
}

const names = Object.keys(actions)
const change = record({
  // A run needs more memories than other changes.
  name: constantFrom('remember', 'remember', 'remember', 'embedAll', ...names),
  index: nat(20),
  agentId: constantFrom(...agentIds),
  visibility: constantFrom('global' as const, 'private' as const),
  scope: constantFrom(...optionalTexts),
  project: constantFrom(...optionalTexts),
  importance: constantFrom(0.2, 0.9, 1),
  identity: constantFrom(...identities),
})

testOnEachEngine(migrations)('counts equal the rows after every change', async (db) => {
  const { needs } = memoryNeeds(db)
  await insertModels(db)
  const run = asyncProperty(array(change, { minLength: 5, maxLength: 30 }), async (changes) => {
    for (const { name, ...fields } of changes) {
      const rows = await tables(db)
        .selectFrom('memories')
        .select('id')
        .orderBy('position')
        .execute()
      const idAt = (index: number) => rows[index % Math.max(1, rows.length)]?.id ?? ''
      const target = { db, needs, id: idAt(fields.index), nextId: idAt(fields.index + 1) }
      await actions[name]?.(target, fields).catch(ignoreRefusal)
    }
    await expectExactCounts(db)
  })
  await assert(run, { numRuns: 10 })
})

test.for(engines)('an upgrade counts the rows of an older database ($engine)', async ({ open }) => {
  const database = await open()
  const { db } = database
  const isNewer = ({ id }: Migration) => id >= countMigration.id
  await migrate(
    database,
    migrations.filter((step) => !isNewer(step)),
    fixedHost().now(),
  )
  const { needs } = memoryNeeds(db)
  await insertModels(db)
  for (const [index, scope] of [...optionalTexts, undefined].entries()) {
    const request = { content: `critical: note ${index}`, scope, project: scope }
    await remember(needs, callerFor('ada'), { visibility: 'global', ...request })
  }
  const first = tables(db).selectFrom('memories').select('id').orderBy('position').limit(1)
  await tables(db).updateTable('memories').set({ deletedAt: at }).where('id', '=', first).execute()
  await embed(db, 'tiny', sql`where 1 = 1`)

  await migrate(database, migrations, fixedHost().now())

  expect(await readListStats(db, readScopes[0], { identity: 'tiny' })).toEqual({
    total: 1,
    withEmbeddings: 1,
    critical: 1,
  })
  await expectExactCounts(db)
})

function ignoreRefusal(error: unknown): void {
  if (!isRefusal(error) && !(error instanceof DatabaseConflict)) throw error
}

async function insertModels(db: Db): Promise<void> {
  for (const [index, identity] of identities.entries())
    await sql`insert into ${models} values
      (${identity}, ${identity}, 0, '', '', ${index === 0 ? 'active' : 'building'}, 0, '', null)`.execute(
      db,
    )
}

const readScopes = [
  { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null },
  { agentId: 'ada', policy: 'shared', groupAgents: [], project: null },
  { agentId: 'eve', policy: 'group', groupAgents: ['eve', 'bob'], project: null },
  { agentId: 'bob', policy: 'shared', groupAgents: [], project: 'garden' },
  { agentId: 'bob', policy: 'isolated', groupAgents: [], project: '' },
] as const satisfies readonly ReadScope[]
const namespaces = [{}, { scope: '' }, { scope: 'shed' }, { allScopes: true }] as const

/** Counts the rows outside the database, by the rule for a single row. */
async function expectExactCounts(db: Db): Promise<void> {
  const memories = await tables(db)
    .selectFrom('memories')
    .selectAll()
    .where('deletedAt', 'is', null)
    .where('supersededBy', 'is', null)
    .execute()
  const { rows } = await sql<{ key: string }>`
    select identity || memory_id as key from ${vectors} where passage = 0`.execute(db)
  const embedded = new Set(rows.map(({ key }) => key))
  for (const readScope of readScopes)
    for (const namespace of namespaces)
      for (const identity of identities) {
        const { scope, allScopes } = { scope: null, allScopes: false, ...namespace }
        const readable = memories.filter(
          (memory) => mayRead(readScope, memory) && (allScopes || memory.scope === scope),
        )
        expect(await readListStats(db, readScope, { ...namespace, identity })).toEqual({
          total: readable.length,
          withEmbeddings: readable.filter(({ id }) => embedded.has(identity + id)).length,
          critical: readable.filter(({ importance }) => importance >= 0.9).length,
        })
      }
}
