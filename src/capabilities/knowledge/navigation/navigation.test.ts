import { expect } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { knowledgeKit, memorySource, onEachEngine, putClaim } from '../knowledge.fixture.ts'
import { expandEntity } from './expand.ts'
import { readDetail, readEntities } from './read-entities.ts'
import { readClaimEvidence, readLinkEvidence, readVersions } from './read-evidence.ts'
import { readAspects, readAttributes, readClaims, readGroups } from './read-path.ts'
import { resolveEntity } from './resolve.ts'
import { readTree } from './tree.ts'

const ada = { agentId: 'ada' }
const page = { limit: 50, offset: 0 }

async function createGraph(db: Db) {
  const kit = knowledgeKit(db)
  const one = [memorySource('m1')]
  const put = (input: Partial<Parameters<typeof putClaim>[2]>, sources = one) =>
    kit.run(
      (operation, write) => putClaim(operation, write, { entity: 'Atlas', value: '', ...input }),
      { sources },
    )
  const { result } = await put({ value: 'vim' })
  kit.host.advance(1000)
  await put({ value: 'nano', mode: 'set' })
  await put({ key: 'shell', value: 'fish' })
  await put({ key: 'shell', value: 'no bash', kind: 'constraint' })
  await put({ aspect: 'people', key: 'owner', value: 'Maud' }, [memorySource('m2')])
  const { result: link } = await kit.run(
    async (operation, write) => {
      const { row: target } = await write.upsertEntity(operation, { name: 'Atlas Harbour' })
      await write.addAlias(operation, target, { alias: 'The Port', confidence: 1, source: 's' })
      const type = 'depends_on'
      return write.createLink(operation, { source: result.entity, target, type, strength: 0.9 })
    },
    { sources: one },
  )
  return { ...kit, atlas: result.entity, tools: result.aspect, link: link.row }
}

onEachEngine('a name is an equal name, then an alias, a beginning, a part', async (db) => {
  const { run } = await createGraph(db)
  const resolve = async (name: string) => (await resolveEntity(db, ada, name)).name
  await run((operation, write) => write.upsertEntity(operation, { name: 'Great Atlas' }))

  expect(await resolve(' ATLAS ')).toBe('Atlas')
  expect(await resolve('the port')).toBe('Atlas Harbour')
  expect(await resolve('atlas har')).toBe('Atlas Harbour')
  expect(await resolve('great')).toBe('Great Atlas')
  expect(await resolve('harbour')).toBe('Atlas Harbour')
  for (const unknown of ['%', '_tlas', 'zeta', ' \u200B ', "'"])
    await expect(resolve(unknown)).rejects.toThrow('Entity not found')
  await expect(resolveEntity(db, { agentId: 'bob' }, 'Atlas')).rejects.toThrow('Entity not found')
})

onEachEngine('entities are listed with counts, pinned first, by a part of the name', async (db) => {
  const { run, link } = await createGraph(db)
  const list = async (more: object = {}) => {
    const request = { ...ada, text: undefined, entityType: undefined, ...page, ...more }
    return (await readEntities(db, request)).items
  }

  expect(await list()).toMatchObject([
    {
      entity: { name: 'Atlas', pinned: false, mentions: 2, proposalEvidence: [{ sourceId: 'm1' }] },
      aspectCount: 2,
      attributeCount: 3,
      constraintCount: 1,
      dependencyCount: 1,
    },
    { entity: { name: 'Atlas Harbour' }, aspectCount: 0, attributeCount: 0, dependencyCount: 1 },
  ])
  await run(async (operation, write) => {
    const id = link.targetEntityId
    return write.pinEntity(operation, await write.selectEntity(operation.db, 'ada', { id }), true)
  })
  const names = async (more: object) => (await list(more)).map(({ entity }) => entity.name)
  expect(await names({})).toEqual(['Atlas Harbour', 'Atlas'])
  expect(await names({ text: 'HARB' })).toEqual(['Atlas Harbour'])
  expect(await names({ text: '%' })).toEqual([])
  expect(await names({ entityType: 'project' })).toEqual([])
  expect(await names({ offset: 1 })).toEqual(['Atlas'])
  expect(await names({ agentId: 'bob' })).toEqual([])
})

onEachEngine('the detail counts links by direction', async (db) => {
  const { atlas } = await createGraph(db)

  expect(await readDetail(db, atlas)).toMatchObject({
    aspectCount: 2,
    dependencyCount: 1,
    incomingDependencyCount: 0,
    outgoingDependencyCount: 1,
    structuralDensity: { aspectCount: 2, attributeCount: 3, constraintCount: 1 },
  })
})

onEachEngine('the tree has three depths and keeps to its limits', async (db) => {
  await createGraph(db)
  const limits = { depth: 3, maxAspects: 20, maxGroups: 20, maxClaims: 50 }
  const read = (more: object = {}) =>
    readTree(db, ada, { entity: 'Atlas', limits: { ...limits, ...more } })

  const { items } = await read()
  expect(items.map(({ aspect }) => aspect.name)).toEqual(['people', 'tools'])
  const shell = { claimKey: 'shell', attributeCount: 1, constraintCount: 1, activeCount: 2 }
  expect(items[1]).toMatchObject({
    attributeCount: 2,
    constraintCount: 1,
    groupCount: 1,
    claimCount: 2,
    groups: [
      {
        groupKey: 'general',
        claimCount: 2,
        claims: [{ claimKey: 'editor', supersededCount: 1, preview: 'nano' }, shell],
      },
    ],
  })
  const cut = await read({ maxAspects: 1, maxClaims: 1 })
  expect(cut.items).toHaveLength(1)
  expect((await read({ maxClaims: 1 })).items[1]?.groups?.[0]).toMatchObject({
    claimCount: 2,
    claims: [{ claimKey: 'editor' }],
  })
  expect((await read({ depth: 2 })).items[1]?.groups?.[0]?.claims).toBeUndefined()
  const flat = (await read({ depth: 1 })).items[1]
  expect(flat).toMatchObject({ groupCount: 1, claimCount: 2, attributeCount: 2 })
  expect(flat?.groups).toBeUndefined()
})

onEachEngine('a path leads from aspects over groups and claims to values', async (db) => {
  const { atlas } = await createGraph(db)
  const path = { entity: 'atlas', aspect: 'TOOLS' }

  const aspects = (await readAspects(db, atlas)).items
  expect(aspects).toMatchObject([
    { aspect: { name: 'people' }, attributeCount: 1, constraintCount: 0 },
    { aspect: { name: 'tools' }, attributeCount: 2, constraintCount: 1 },
  ])
  expect((await readGroups(db, ada, path)).items).toMatchObject([
    { groupKey: 'general', attributeCount: 2, constraintCount: 1, claimCount: 2 },
  ])
  expect((await readClaims(db, ada, path)).items.map(({ claimKey }) => claimKey)).toEqual([
    'editor',
    'shell',
  ])
  expect((await readClaims(db, ada, { ...path, group: 'other' })).items).toEqual([])

  const values = async (more: object = {}) => {
    const slot = { ...path, claim: 'Editor', status: 'active', kind: undefined, ...page } as const
    return (await readAttributes(db, ada, { ...slot, ...more })).items
  }
  expect(await values()).toMatchObject([{ content: 'nano', version: 2, pinned: false }])
  expect((await values({ status: 'all' })).map(({ content }) => content)).toEqual(['nano', 'vim'])
  expect(await values({ status: 'superseded' })).toMatchObject([{ content: 'vim' }])
  expect(await values({ status: 'deleted' })).toEqual([])
  expect(await values({ claim: 'shell', kind: 'constraint' })).toMatchObject([
    { content: 'no bash' },
  ])
  for (const unknown of [{ entity: 'zeta' }, { aspect: 'zeta' }])
    await expect(readGroups(db, ada, { ...path, ...unknown })).rejects.toThrow(
      'Entity or aspect not found',
    )
})

onEachEngine('the evidence of claims and links leads to sources', async (db) => {
  const { link } = await createGraph(db)
  const path = { entity: 'Atlas', aspect: 'tools', group: 'general', claim: 'editor' }
  const filter = { status: 'active', kind: undefined, ...page } as const

  expect(await readClaimEvidence(db, ada, { ...path, ...filter })).toMatchObject({
    groupKey: 'general',
    claimKey: 'editor',
    count: 1,
    items: [
      {
        attribute: { content: 'nano' },
        evidenceCount: 1,
        evidence: [{ sourceKind: 'memory', sourceId: 'm1', quote: 'words of m1' }],
      },
    ],
  })
  expect((await readVersions(db, ada, path)).items.map(({ version }) => version)).toEqual([2, 1])
  const unknown = readClaimEvidence(db, ada, { ...path, ...filter, claim: 'zeta' })
  await expect(unknown).rejects.toThrow('Claim path not found')
  await expect(readVersions(db, { agentId: 'bob' }, path)).rejects.toThrow('Claim path not found')

  expect(await readLinkEvidence(db, ada, link.id)).toMatchObject({
    dependency: { dependencyType: 'depends_on', strength: 0.9 },
    items: [{ sourceId: 'm1' }],
    count: 1,
  })
  const foreign = readLinkEvidence(db, { agentId: 'bob' }, link.id)
  await expect(foreign).rejects.toThrow('Link not found')
})

onEachEngine('an entity is rendered within a number of tokens', async (db) => {
  await createGraph(db)
  const expand = (maxTokens: number, aspect?: string) =>
    expandEntity(db, ada, { entity: 'Atlas', aspect, maxTokens })

  const { text, truncated } = await expand(2000)
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'Atlas (unknown)',
      '- tools / editor: nano',
      '- tools / shell (constraint): no bash',
      '- Atlas depends_on Atlas Harbour',
    ]),
  )
  expect(truncated).toBe(false)
  expect(await expand(5)).toMatchObject({ text: 'Atlas (unknown)', tokens: 4, truncated: true })
  expect((await expand(2000, 'people')).text).not.toContain('nano')
})
