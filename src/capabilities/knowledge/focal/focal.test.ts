import { expect, test } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { knowledgeKit, memorySource, onEachEngine, putClaim } from '../knowledge.fixture.ts'
import { toStem } from '../name.ts'
import { listNameCandidates } from './names-in-text.ts'

const readScope = { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null } as const
const request = { readScope, limit: 10, filters: { scope: null } }

async function createGraph(db: Db) {
  const kit = knowledgeKit(db)
  const put = (input: Parameters<typeof putClaim>[2], ids: readonly string[]) =>
    kit.run((operation, write) => putClaim(operation, write, input), {
      sources: ids.map((id) => memorySource(id)),
    })
  const { result: vim } = await put({ entity: 'Atlas', key: 'editor', value: 'vim' }, ['m1'])
  const { result: bare } = await put({ entity: 'Atlas', key: 'shell', value: 'fish' }, [])
  await put({ entity: 'Orchard Gate', key: 'owner', value: 'Maud' }, ['m2'])
  await put({ entity: '東京支社', key: 'owner', value: 'Ken' }, ['m3'])
  await kit.run(async (operation, write) => {
    const source = await write.selectEntity(operation.db, 'ada', { name: 'Atlas' })
    const target = await write.selectEntity(operation.db, 'ada', { name: 'Orchard Gate' })
    await write.addAlias(operation, source, { alias: 'The Titan', confidence: 1, source: 's' })
    await write.createLink(operation, { source, target, type: 'depends_on', strength: 0.8 })
  })
  const search = async (query: string, scope: object = {}) => {
    const found = await kit.knowledge.graphSource.search(query, {
      ...request,
      readScope: { ...readScope, ...scope },
    })
    return found.hits.map(({ id, source }) => `${source} ${id}`)
  }
  return { ...kit, search, vim, bare }
}

test('names are looked for as phrases, also in scripts without spaces', () => {
  const { phrases, words, stems } = listNameCandidates('Who owns the Orchard-Gate editors?')
  expect(phrases).toEqual(expect.arrayContaining(['orchard gate', 'orchard', 'the orchard gate']))
  expect(words).toEqual(['owns', 'orchard', 'gate', 'editors'])
  expect(stems).toEqual(['own', 'orchard', 'gate', 'edit'])
  expect(listNameCandidates('我们在東京支社工作').phrases).toContain('東京支社')
  expect(listNameCandidates('').phrases).toEqual([])
  expect(['cities', 'uses', 'boss'].map(toStem)).toEqual(['city', 'use', 'boss'])
})

onEachEngine('a question finds the memories behind the claims of its entities', async (db) => {
  const { search, bare } = await createGraph(db)

  expect(await search('Which editor does the Titan use?')).toContain('structured m1')
  expect((await search('What does Atlas use as a shell?'))[0]).toBe(`structured ${bare.claim.id}`)
  expect(await search('Who is the owner of what Atlas depends on?')).toContain('structured m2')
  expect(await search('Who is the owner near Atlas?')).toContain('traversal m2')
  expect(await search('東京支社の owner')).toEqual(['structured m3'])
  expect(await search('Who opens the orchard?')).toEqual([])
  expect(await search('orchard owner')).toContain('structured m2')
  expect(await search('nothing of that')).toEqual([])
})

onEachEngine('a rare word of a name is found next to a word of many names', async (db) => {
  const { knowledge, run } = await createGraph(db)
  await run(async (operation, write) => {
    for (let number = 0; number < 20; number++)
      await write.upsertEntity(operation, { name: `Ferry Number ${number}` })
    await putClaim(operation, write, { entity: 'Willow Quay', key: 'owner', value: 'Ken' })
  })
  const search = async (query: string) =>
    (await knowledge.graphSource.search(query, request)).entities.map(({ name }) => name)

  expect(await search('Who is the owner of the ferry at the willow?')).toEqual(['Willow Quay'])
  expect(await search('Who is the owner of the ferry?')).toEqual([])
})

onEachEngine('the words of an alias are none of what a question asks for', async (db) => {
  const { knowledge } = await createGraph(db)
  const scoreOf = async (query: string) =>
    (await knowledge.graphSource.search(query, request)).hits.find(({ id }) => id === 'm1')
      ?.score ?? 0

  const byName = await scoreOf('Which editor of Atlas?')
  expect(byName).toBeGreaterThan(0.5)
  expect(await scoreOf('Which editor of The Titan?')).toBe(byName)
})

onEachEngine(
  'a question is read with the names of its entities and of requested links',
  async (db) => {
    const { knowledge } = await createGraph(db)
    const read = async (query: string) =>
      (await knowledge.graphSource.search(query, request)).readings.map(({ text }) => text)

    expect(await read('Which editor of The Titan?')).toEqual(['Which editor of Atlas?'])
    expect(await read('Which editor of Atlas?')).toEqual([])
    expect(await read('Who is the owner of what Atlas depends on?')).toEqual([
      'Who is the owner of what Orchard Gate depends on?',
    ])
    expect(await read('Who is the owner of what the Titan requires?')).toEqual([
      'Who is the owner of what Atlas requires?',
      'Who is the owner of what Orchard Gate requires?',
    ])
    // From the other end of the link.
    expect(await read('Which editor has what depends on Orchard Gate?')).toEqual([
      'Which editor has what depends on Atlas?',
    ])
    // It asks for the link alone.
    expect(await read('What does Atlas depend on?')).toEqual([])
  },
)

onEachEngine('what the end of a requested link is said to be counts like a claim', async (db) => {
  const { knowledge } = await createGraph(db)
  const answer = await knowledge.graphSource.search('the owner of what Atlas depends on', request)

  const linked = answer.hits.find(({ id }) => id === 'm2')
  expect(linked).toMatchObject({
    source: 'structured',
    reading: 'the owner of what Orchard Gate depends on',
    reason: expect.stringContaining('Atlas depends_on'),
  })
  expect(linked?.score).toBeGreaterThan(0.5)
})

onEachEngine('a graph answers its own agent and no token of one project', async (db) => {
  const { search, knowledge, vim } = await createGraph(db)

  expect(await search('Atlas editor', { agentId: 'bob', policy: 'shared' })).toEqual([])
  expect(await search('Atlas editor', { project: 'p' })).toEqual([])
  const { listCited } = knowledge.graphSource
  expect([...((await listCited?.(readScope, [vim.claim.id])) ?? [])]).toEqual([
    [vim.claim.id, ['m1']],
  ])
  expect((await listCited?.({ ...readScope, agentId: 'bob' }, [vim.claim.id]))?.size).toBe(0)
})

onEachEngine('forgotten evidence answers nothing', async (db) => {
  const { search, follow } = await createGraph(db)
  await follow('forgotten', 'm2')

  expect(await search('Orchard Gate owner')).toEqual([])
  const linked = await search('Who is the owner of what Atlas depends on?')
  expect(linked.filter((hit) => hit.endsWith('m2'))).toEqual([])
})

onEachEngine('hooks read the entities that a prompt names, and their claims', async (db) => {
  const { knowledge, bare } = await createGraph(db)
  const { entitySource } = knowledge
  const reader = { agentId: 'ada', project: null }

  const found = await entitySource.findNamed(reader, ['the titan', 'atlas', 'gate'])
  expect(found.map(({ name, phrase, isAlias }) => [name, phrase, isAlias]).toSorted()).toEqual([
    ['Atlas', 'atlas', false],
    ['Atlas', 'the titan', true],
  ])
  const attributes = await entitySource.listAttributes(reader, bare.entity.id)
  expect(attributes.map(({ claimKey, content }) => `${claimKey} ${content}`).toSorted()).toEqual([
    'editor vim',
    'shell fish',
  ])
  const others = [
    { agentId: 'bob', project: null },
    { agentId: 'ada', project: 'p' },
  ]
  for (const other of others) {
    expect(await entitySource.findNamed(other, ['atlas'])).toEqual([])
    expect(await entitySource.listAttributes(other, bare.entity.id)).toEqual([])
    expect(await entitySource.findFocal(other, 'atlas')).toEqual({ memoryIds: [], constraints: [] })
  }
})

onEachEngine(
  'the entities of a project are that of its name and the mentioned ones',
  async (db) => {
    const { knowledge, memory, run } = await createGraph(db)
    const { memory: saved } = await memory.remember(callerFor('ada'), {
      content: 'a note',
      project: '/p/x',
    })
    await run(
      (operation, write) =>
        putClaim(operation, write, { entity: 'Gemini', value: 'No tabs.', kind: 'constraint' }),
      { sources: [memorySource(saved.id)] },
    )
    const focal = (project: string) =>
      knowledge.entitySource.findFocal({ agentId: 'ada', project: null }, project)

    expect(await focal('/projects/Atlas')).toEqual({ memoryIds: ['m1'], constraints: [] })
    expect(await focal('/p/x')).toEqual({ memoryIds: [saved.id], constraints: ['No tabs.'] })
    expect(await focal('/p/other')).toEqual({ memoryIds: [], constraints: [] })
  },
)
