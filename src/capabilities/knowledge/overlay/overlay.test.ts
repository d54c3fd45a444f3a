import { expect } from 'vitest'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { createEmptyGraphs } from '../focal/empty-graphs.ts'
import { readHygiene } from '../hygiene/read-hygiene.ts'
import { knowledgeKit, memorySource, onEachEngine, putClaim } from '../knowledge.fixture.ts'
import { tables } from '../store/rows.ts'
import { readOverlay } from './read-overlay.ts'

const limits = { maxEntities: 150, maxAspects: 6, maxAttributes: 4, maxLinks: 500 }
const policies: Readonly<Record<string, 'shared' | 'isolated'>> = { ada: 'shared', shy: 'isolated' }

onEachEngine('the overlay shows own rows, and global rows of agents that share', async (db) => {
  const { needs, knowledge, run } = knowledgeKit(db)
  const agents = {
    listSharing: async () => ['ada', 'bob'],
    readScopeOf: async (_db: unknown, { agentId }: { readonly agentId: string }) => ({
      agentId,
      policy: policies[agentId] ?? 'isolated',
      groupAgents: [],
      project: null,
    }),
  }
  const { erasures, overlayMetadata } = knowledge
  const ports = { erasures, overlayMetadata, emptyGraphs: createEmptyGraphs(db) }
  const put = (agentId: string, entity: string, visibility: 'global' | 'private') =>
    run((operation, write) => putClaim(operation, write, { entity, value: `${entity} value` }), {
      agentId,
      sources: [memorySource(`m ${entity}`, { visibility })],
    })
  const { result: atlas } = await put('ada', 'Atlas', 'private')
  const { result: orion } = await put('ada', 'Orion', 'global')
  await put('bob', 'Open', 'global')
  await put('bob', 'Closed', 'private')
  await put('shy', 'Hidden', 'global')
  await run((operation, write) =>
    write.createLink(operation, { source: atlas.entity, target: orion.entity, type: 'uses' }),
  )
  const read = (agentId: string, more: object = {}) =>
    readOverlay({ ...needs, ...ports, agents }, callerFor(agentId), { ...limits, ...more })
  const names = async (agentId: string) =>
    (await read(agentId)).entities.map(({ name }) => name).toSorted()

  expect(await names('ada')).toEqual(['Atlas', 'Open', 'Orion'])
  expect(await names('shy')).toEqual(['Hidden'])
  const { entities, dependencies, proposals, metadata } = await read('ada')
  expect(entities.find(({ name }) => name === 'Open')).toMatchObject({
    mentions: 1,
    aspects: [{ attributes: [{ content: 'Open value', proposalEvidenceCount: 1 }] }],
  })
  expect(dependencies).toMatchObject([{ dependencyType: 'uses', proposalEvidenceCount: 1 }])
  expect(proposals).toEqual([])
  expect(metadata).toEqual({
    dreaming: null,
    proposals: { pending: 0, appliedRecent: 0, failedRecent: 0 },
  })
  const cut = await read('ada', { maxEntities: 1, maxLinks: 500 })
  expect([cut.entities.length, cut.dependencies.length]).toEqual([1, 0])
  expect((await read('ada', { maxLinks: 0 })).dependencies).toEqual([])
})

onEachEngine('hygiene reports suspicious names, duplicates and unlinked mentions', async (db) => {
  const { needs, memory, run } = knowledgeKit(db)
  const remember = async (content: string) =>
    (await memory.remember(callerFor('ada'), { content })).memory.id
  const id = await remember(
    'After a long walk through the oldest quarter of the town we met at the Orchard-Gate yesterday, and only one of us had an umbrella for the evening.',
  )
  const linkedId = await remember('The orchard gate is open')
  const create = (name: string, entityType?: string, ids: readonly string[] = []) =>
    run((operation, write) => write.upsertEntity(operation, { name, entityType }), {
      sources: ids.map((id) => memorySource(id)),
    })
  await create('Orchard Gate', 'place', [linkedId])
  await create('Node.js', 'tool')
  await create('Node JS', 'tool')
  await create('Justice', 'concept')
  await run((operation, write) => putClaim(operation, write, { entity: 'Node.js', value: 'fast' }))
  const before = await readHygiene(needs, { agentId: 'ada', limit: 50, memoryLimit: 200 })

  const reasons = before.suspiciousEntities.map(({ name, reason }) => `${name} ${reason}`)
  expect(reasons.toSorted()).toEqual([
    'Justice non_concrete_entity_type',
    'Node JS zero_mentions',
    'Node.js zero_mentions',
  ])
  expect(before.duplicateEntities).toMatchObject([{ canonicalName: 'node js', count: 2 }])
  expect(before.attributeSummary).toEqual({
    missingGroupKey: 0,
    missingClaimKey: 0,
    missingSourceMemory: 1,
  })
  expect(before.weakClaims).toEqual([])
  expect(before.safeMentionCandidates).toMatchObject([
    {
      memoryId: id,
      entityName: 'Orchard Gate',
      mentionText: 'Orchard-Gate',
      snippet:
        'walk through the oldest quarter of the town we met at the Orchard-Gate yesterday, and only one of us had an umbrella for the',
    },
  ])
  expect(await readHygiene(needs, { agentId: 'bob', limit: 50, memoryLimit: 200 })).toMatchObject({
    suspiciousEntities: [],
    duplicateEntities: [],
    safeMentionCandidates: [],
  })
})

onEachEngine('hygiene lists claims without evidence, and with superseded evidence', async (db) => {
  const { needs, memory, run } = knowledgeKit(db)
  const remember = async (content: string, more: object = {}) =>
    (await memory.remember(callerFor('ada'), { content, ...more })).memory.id
  const [old, other] = [await remember('The key is blue.'), await remember('The key is brass.')]
  const put = async (key: string, ids: readonly string[]) => {
    const sources = ids.map((id) => memorySource(id))
    const claim = { entity: 'Boathouse', key, value: key }
    const { result } = await run((operation, write) => putClaim(operation, write, claim), {
      sources,
    })
    return result.claim.id
  }
  const outdated = await put('colour', [old])
  await put('material', [old, other])
  const bare = await put('bare', [other])
  await remember('The key is green.', { supersedes: old })
  await tables(db).deleteFrom('knowledgeCitations').where('subjectId', '=', bare).execute()

  const { weakClaims } = await readHygiene(needs, { agentId: 'ada', limit: 50, memoryLimit: 200 })
  expect(weakClaims).toMatchObject([
    { id: bare, reason: 'no_citation', entityName: 'Boathouse' },
    { id: outdated, reason: 'superseded_evidence', claimKey: 'colour' },
  ])
})
