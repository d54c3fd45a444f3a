import { expect } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { dumpAll, type Operation, onEachEngine, ontologyKit } from '../ontology.fixture.ts'
import { exportGraph } from './export-graph.ts'
import { importGraph } from './import-graph.ts'

const slot = { entity: 'Orchard', aspect: 'tools', claim_key: 'saw' }
const seed: readonly Operation[] = [
  ['create_entity', { name: 'Orchard', entity_type: 'project', description: 'apples' }],
  ['create_entity', { name: 'Mill', entity_type: 'place' }],
  ['create_entity_alias', { entity: 'Orchard', alias: 'The Trees' }],
  ['set_claim_value', { ...slot, value: 'bow saw' }],
  ['set_claim_value', { ...slot, value: 'pruning saw' }],
  ['create_link', { source_entity: 'Orchard', target_entity: 'Mill', link_type: 'uses' }],
  ['pin_entity', { entity: 'Mill' }],
]

async function exportAll(kit: ReturnType<typeof ontologyKit>, agentId: string, limit = 3) {
  const items: Readonly<Record<string, unknown>>[] = []
  let cursor: string | undefined
  do {
    const page = await exportGraph(kit.needs, { agentId, cursor, limit })
    items.push(...page.items)
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return items
}

async function seedGraph(db: Db) {
  const kit = ontologyKit(db)
  const memory = await kit.remember('The orchard has a long ladder.')
  const cited: Operation = [
    'add_claim_value',
    { ...slot, claim_key: 'ladder', value: 'long' },
    { evidence: [{ memory_id: memory, quote: 'a long ladder' }] },
  ]
  for (const operation of [...seed, cited]) {
    kit.host.advance(1000)
    expect(await kit.apply([operation])).toMatchObject({ ok: true })
  }
  return { kit, memory }
}

onEachEngine(
  'an export into another agent has the same graph, a repeated one adds nothing',
  async (db) => {
    const { kit, memory } = await seedGraph(db)
    const items = await exportAll(kit, 'ada')
    const cat = callerFor('cat')

    const first = await importGraph(kit.needs, cat, items)
    const again = await importGraph(kit.needs, cat, items)
    const copied = await exportAll(kit, 'cat', 500)

    expect(first).toEqual({ created: items.length, existing: 0, rejected: [] })
    expect(again).toEqual({ created: 0, existing: items.length, rejected: [] })
    const withoutSources = (item: object) => ({ ...item, citations: [], created_at: '' })
    expect(copied.map(withoutSources)).toEqual(items.map(withoutSources))
    const ladder = items.find((item) => item['claim_key'] === 'ladder')
    expect(ladder?.['citations']).toEqual([
      {
        source_kind: 'memory',
        source_id: memory,
        content_hash: expect.any(String),
        quote: 'a long ladder',
      },
    ])
  },
)

onEachEngine('a citation is found by the content of a memory of the other agent', async (db) => {
  const { kit } = await seedGraph(db)
  const items = await exportAll(kit, 'ada')
  const cat = callerFor('cat')
  const request = { content: 'The orchard has a long ladder.' } as never
  const { id } = (await kit.memory.remember(cat, request)).memory

  await importGraph(kit.needs, cat, items)

  const copied = await exportAll(kit, 'cat')
  const ladder = copied.find((item) => item['claim_key'] === 'ladder')
  expect(ladder?.['citations']).toMatchObject([{ source_id: id, quote: 'a long ladder' }])
})

onEachEngine('an invalid item is rejected with its index, the others are written', async (db) => {
  const kit = ontologyKit(db)
  const entity = { type: 'entity', name: 'Orchard', entity_type: 'project' }
  const items = [entity, { type: 'entity' }, { type: 'nonsense' }, 7, { ...entity, name: '\0' }]

  const result = await importGraph(kit.needs, callerFor('ada'), items)

  expect(result).toMatchObject({ created: 1, existing: 0 })
  expect(result.rejected.map(({ index }) => index)).toEqual([1, 2, 3, 4])
  const cursor = 'other:1'
  await expect(exportGraph(kit.needs, { agentId: 'ada', cursor, limit: 1 })).rejects.toMatchObject({
    code: 'invalid_request',
  })
})

onEachEngine('an export has no withheld row and none of another agent', async (db) => {
  const { kit, memory } = await seedGraph(db)

  expect(await exportAll(kit, 'bob')).toEqual([])
  const change = { agentId: 'ada', kind: 'memory', ids: [memory] } as const
  await kit.knowledge.evidenceDependant.forgotten(db, change)
  const items = await exportAll(kit, 'ada')
  expect(items.some((item) => item['claim_key'] === 'ladder')).toBe(false)
  expect(JSON.stringify(items)).not.toContain('long ladder')
})

onEachEngine('credentials and private spans of a file are not stored', async (db) => {
  const kit = ontologyKit(db)
  const key = ['ghp', 'aB3dE5fG7h'.repeat(4).slice(0, 36)].join('_')
  const value = `opens at noon <private>quietword</private> with ${key}`
  const slotItem = { entity: 'Orchard', aspect: 'gate', group_key: 'general', claim_key: 'hours' }

  await importGraph(kit.needs, callerFor('ada'), [{ type: 'value', ...slotItem, value }])

  const stored = JSON.stringify([await dumpAll(db), await exportAll(kit, 'ada')])
  expect(stored).toContain('opens at noon')
  expect(stored).not.toContain('quietword')
  expect(stored).not.toContain(key)
})
