import { expect } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { countStatements } from '../../../kernel/testing/plan-of.ts'
import { runRepair } from '../../../kernel/testing/run-repair.ts'
import {
  dumpGraph,
  knowledgeKit,
  memorySource,
  onEachEngine,
  putClaim,
} from '../knowledge.fixture.ts'
import { readEntities } from '../navigation/read-entities.ts'
import { readAttributes } from '../navigation/read-path.ts'
import { tables } from '../store/rows.ts'

const page = { limit: 50, offset: 0 }

async function listNames(db: Db) {
  const request = { agentId: 'ada', text: undefined, entityType: undefined, ...page }
  return (await readEntities(db, request)).items.map(({ entity }) => entity.name).toSorted()
}

async function listValues(db: Db, entity: string, status: 'all' | 'active' = 'active') {
  const path = { entity, aspect: 'tools', claim: 'editor', status, kind: undefined, ...page }
  const { items } = await readAttributes(db, { agentId: 'ada' }, path)
  return items.map(({ content, status, proposalEvidence }) => ({
    content,
    status,
    sources: proposalEvidence.map(({ sourceId }) => sourceId),
  }))
}

async function listCurrent(db: Db) {
  const { memories } = await dumpGraph(db)
  const rows = memories.map((row): { content: string; supersededBy: string | null } =>
    JSON.parse(row),
  )
  return rows.filter((row) => row.supersededBy === null).map(({ content }) => content)
}

onEachEngine('rows without live evidence are hidden, and return with it', async (db) => {
  const { run, follow } = knowledgeKit(db)
  await run(
    async (operation, write) => {
      const { entity } = await putClaim(operation, write, { entity: 'Atlas', value: 'vim' })
      await write.addAlias(operation, entity, { alias: 'Titan', confidence: 1, source: 's' })
      const { row: target } = await write.upsertEntity(operation, { name: 'Orion' })
      await write.createLink(operation, { source: entity, target, type: 'uses' })
    },
    { sources: [memorySource('m1')] },
  )
  const before = await dumpGraph(db)

  await follow('forgotten', 'm1', 'unknown')
  expect(await listNames(db)).toEqual([])
  expect(await listCurrent(db)).toEqual([])
  expect(await tables(db).selectFrom('entityNames').selectAll().execute()).toEqual([])

  await follow('recovered', 'm1')
  expect(await dumpGraph(db)).toEqual(before)
  expect(await listValues(db, 'titan')).toEqual([
    { content: 'vim', status: 'active', sources: ['m1'] },
  ])
})

onEachEngine('forgetting takes as many statements for 20 claims as for one', async (db) => {
  const { run, knowledge } = knowledgeKit(db)
  const countForgetting = async (id: string, claims: number) => {
    await run(
      async (operation, write) => {
        for (let number = 0; number < claims; number++)
          await putClaim(operation, write, { entity: `${id} ${number}`, value: 'vim' })
      },
      { sources: [memorySource(id)] },
    )
    const change = { agentId: 'ada', kind: 'memory', ids: [id] } as const
    return countStatements(db, (db) => knowledge.evidenceDependant.forgotten(db, change))
  }

  const one = await countForgetting('m1', 1)
  expect(await countForgetting('m20', 20)).toBe(one)
  expect(await listNames(db)).toEqual([])
})

onEachEngine('a row with other evidence stays without the lost citation', async (db) => {
  const { run, follow } = knowledgeKit(db)
  const put = (id: string, visibility: 'private' | 'global') =>
    run((operation, write) => putClaim(operation, write, { entity: 'Atlas', value: 'vim' }), {
      sources: [memorySource(id, { visibility })],
    })
  await put('m1', 'private')
  const { result } = await put('m2', 'global')
  expect(result.claim.visibility).toBe('private')

  await follow('forgotten', 'm1')
  expect(await listValues(db, 'Atlas')).toEqual([
    { content: 'vim', status: 'active', sources: ['m2'] },
  ])
  expect((await dumpGraph(db)).memories[0]).toContain('"visibility":"global"')
  expect(await listNames(db)).toEqual(['Atlas'])
  const entity = await tables(db).selectFrom('entities').select('mentions').executeTakeFirst()
  expect(entity?.mentions).toBe(1)
})

onEachEngine('pinned entities and those of a person stay', async (db) => {
  const { run, follow } = knowledgeKit(db)
  const sources = [memorySource('m1')]
  await run((operation, write) => write.upsertEntity(operation, { name: 'Orion' }))
  for (const name of ['Atlas', 'Orion', 'Gemini'])
    await run((operation, write) => putClaim(operation, write, { entity: name, value: 'vim' }), {
      sources,
    })
  await run(async (operation, write) => {
    const atlas = await write.selectEntity(operation.db, 'ada', { name: 'Atlas' })
    await write.pinEntity(operation, atlas, true)
  })

  await follow('forgotten', 'm1')
  expect(await listNames(db)).toEqual(['Atlas', 'Orion'])
})

onEachEngine('a value whose slot was set meanwhile returns as superseded', async (db) => {
  const { run, follow, host } = knowledgeKit(db)
  const put = (value: string, id: string) =>
    run((operation, write) => putClaim(operation, write, { entity: 'Atlas', value, mode: 'set' }), {
      sources: [memorySource(id)],
    })
  await put('vim', 'm1')
  await follow('forgotten', 'm1')
  host.advance(1000)
  await put('nano', 'm2')
  await follow('recovered', 'm1')

  expect(await listValues(db, 'Atlas', 'all')).toEqual([
    { content: 'nano', status: 'active', sources: ['m2'] },
    { content: 'vim', status: 'superseded', sources: ['m1'] },
  ])
  expect(await listCurrent(db)).toEqual(['Atlas, editor: nano'])
})

onEachEngine('rows move into the entity that took their name meanwhile', async (db) => {
  const { run, follow, host } = knowledgeKit(db)
  const put = (key: string, id: string) =>
    run((operation, write) => putClaim(operation, write, { entity: 'Atlas', key, value: 'vim' }), {
      sources: [memorySource(id)],
    })
  await put('editor', 'm1')
  await follow('forgotten', 'm1')
  host.advance(1000)
  const { result } = await put('pager', 'm2')
  await follow('recovered', 'm1')

  expect(await listNames(db)).toEqual(['Atlas'])
  expect(await listValues(db, 'Atlas')).toHaveLength(1)
  const claims = await tables(db).selectFrom('entityAttributes').select('entityId').execute()
  expect(claims).toEqual([{ entityId: result.entity.id }, { entityId: result.entity.id }])
})

onEachEngine('purged evidence leaves no words of its rows', async (db) => {
  const { run, follow, erased } = knowledgeKit(db)
  const put = (entity: string, value: string, ids: string[]) =>
    run((operation, write) => putClaim(operation, write, { entity, value }), {
      sources: ids.map((id) => memorySource(id, { quote: `quote of ${id}` })),
    })
  const { result: gone } = await put('Atlas', 'secret vim', ['m1'])
  await put('Orion', 'nano', ['m1', 'm2'])
  const { result: two } = await put('Gemini', 'ed', ['m1', 'm3'])

  await follow('forgotten', 'm1', 'm3')
  await follow('purged', 'm1')
  const text = JSON.stringify([
    await dumpGraph(db),
    await db
      .withTables<{ memories: { id: string } }>()
      .selectFrom('memories')
      .selectAll()
      .execute(),
    await db
      .withTables<{ memoryHistory: { id: string } }>()
      .selectFrom('memoryHistory')
      .selectAll()
      .execute(),
  ])
  for (const word of ['secret vim', 'quote of m1', 'Atlas']) expect(text).not.toContain(word)
  expect(erased).toEqual(expect.arrayContaining([gone.claim.id, gone.aspect.id, gone.entity.id]))
  expect(erased).not.toContain(two.claim.id)

  await follow('recovered', 'm3')
  expect(await listNames(db)).toEqual(['Gemini', 'Orion'])
  await follow('forgotten', 'm2', 'm3')
  await follow('purged', 'm2', 'm3')
  for (const rows of Object.values(await dumpGraph(db))) expect(rows).toEqual([])
})

onEachEngine(
  'forgetting a derived memory archives its claim, recovering restores it',
  async (db) => {
    const { run, follow } = knowledgeKit(db)
    const { result } = await run((operation, write) =>
      putClaim(operation, write, { entity: 'Atlas', value: 'vim' }),
    )

    await follow('forgotten', result.claim.id)
    expect(await listValues(db, 'Atlas', 'all')).toMatchObject([{ status: 'deleted' }])
    await follow('recovered', result.claim.id)
    expect(await listValues(db, 'Atlas')).toMatchObject([{ status: 'active' }])
    await follow('forgotten', result.claim.id)
    await follow('purged', result.claim.id)
    const [claim] = await tables(db).selectFrom('entityAttributes').selectAll().execute()
    expect(claim).toMatchObject({ status: 'deleted', memoryId: null })
  },
)

onEachEngine('the graph of a removed agent is hidden or deleted', async (db) => {
  const { run, knowledge } = knowledgeKit(db)
  for (const agentId of ['ada', 'bob'])
    await run((operation, write) => putClaim(operation, write, { entity: 'Atlas', value: 'vim' }), {
      agentId,
    })
  const { archive, purge } = knowledge.agentRemoval
  const count = async (agentId: string) =>
    (await tables(db).selectFrom('entities').selectAll().where('agentId', '=', agentId).execute())
      .length

  await transaction(db, (db) => archive(db, 'ada'))
  expect(await listNames(db)).toEqual([])
  expect(await count('ada')).toBe(1)
  await transaction(db, (db) => purge(db, 'ada'))
  expect([await count('ada'), await count('bob')]).toEqual([0, 1])
})

onEachEngine('the retention sweep removes links to memories that have no row', async (db) => {
  const { knowledge, memory, run } = knowledgeKit(db)
  const sweep = (dryRun: boolean) =>
    runRepair(db, knowledge.repairs, { name: 'retention-sweep', dryRun })
  const save = async (content: string) =>
    (await memory.remember(callerFor('ada'), { content, visibility: 'global' })).memory.id
  const claim = (entity: string, id: string) =>
    run((operation, write) => putClaim(operation, write, { entity, value: 'vim' }), {
      sources: [memorySource(id)],
    })
  const stored = await save('Fernhill uses vim.')
  await claim('Fernhill', stored)
  const intact = await dumpGraph(db)
  await claim('Ledge', 'missing')
  const count = () => knowledge.countOrphanedLinks(db)
  const links = await count()
  expect(await knowledge.countOrphanedLinks(db, 1)).toBe(links)

  expect(await sweep(true)).toMatchObject({ affected: links, counts: { graphLinks: links } })
  expect(await count()).toBe(links)
  expect(links).toBeGreaterThanOrEqual(2)
  expect(await sweep(false)).toMatchObject({ affected: links, counts: { graphLinks: links } })
  expect(await sweep(false)).toMatchObject({ affected: 0 })
  expect(await count()).toBe(0)
  expect(await listNames(db)).toEqual(['Fernhill'])
  expect(await dumpGraph(db)).toEqual(intact)
})
