import { expect, test } from 'vitest'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { dreamingKit, onEachEngine } from '../dreaming.fixture.ts'
import { invokeCapability } from './invoke.ts'
import { describeCapabilities } from './registry.ts'

const ada = callerFor('ada')

test('fourteen capabilities have closed JSON Schemas', () => {
  const items = describeCapabilities()
  expect(items.map(({ id }) => id)).toHaveLength(14)
  expect(items.filter(({ readOnly }) => !readOnly).map(({ id }) => id)).toEqual([
    'runbook_write',
    'record_hygiene_attention',
    'apply_ontology_ops',
  ])
  for (const { inputSchema } of items)
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
})

onEachEngine('capabilities read the graph and its evidence, of one agent only', async (db) => {
  const { needs, remember, dream } = dreamingKit(db)
  const memoryId = await remember('Maud Reyes lives in Lisbon.')
  const { pass } = await dream()
  const call = async (id: string, input: object, caller = ada) =>
    Object((await invokeCapability(needs, caller, { id, input })).body)

  const { items } = await call('search_entities', { query: 'maud' })
  expect(items).toMatchObject([{ name: 'Maud Reyes', entityType: 'person', attributeCount: 1 }])
  const [{ id: entityId }] = items
  const { aspects } = await call('get_entity', { entityId })
  expect(aspects).toHaveLength(1)
  const [{ id: aspectId }] = aspects.map((item: object) => Object(item).aspect ?? item)
  const claims = await call('list_aspect_claims', { entityId, aspectId })
  expect(claims.items).toMatchObject([{ content: 'Lisbon' }])
  expect(await call('check_contradiction', { entityId, aspectId, value: 'Porto' })).toMatchObject({
    items: [{ content: 'Lisbon', detected: false }],
  })
  const path = { entity: 'Maud Reyes', aspect: 'location', group: 'general', claim: 'lives_in' }
  expect(await call('get_claim_evidence', path)).toMatchObject({
    items: [{ evidence: [{ quote: 'Maud Reyes lives in Lisbon.' }] }],
  })
  expect(await call('search_evidence', { query: 'lisbon' })).toMatchObject({
    items: [{ sourceRef: `memory:${memoryId}`, content: 'Maud Reyes lives in Lisbon.' }],
  })
  expect(await call('find_duplicate_entities', { name: "maud reyes's" })).toMatchObject({
    items: [{ id: entityId }],
  })
  expect(await call('check_entity_label', { name: 'the' })).toMatchObject({ result: { ok: false } })
  expect((await call('runbook_read', {})).items).toMatchObject([
    { passId: pass.id, operations: { applied: { set_claim_value: 1 } } },
  ])
  const bob = callerFor('bob')
  expect(await call('search_evidence', { query: 'lisbon' }, bob)).toMatchObject({ items: [] })
  await expect(call('get_entity', { entityId }, bob)).rejects.toMatchObject({ kind: 'invalid' })
})

onEachEngine(
  'capabilities refuse bad input, foreign scopes and notes without a pass',
  async (db) => {
    const { needs, apply } = dreamingKit(db)
    const call = (id: string, input: object, more: object = {}) =>
      invokeCapability(needs, ada, { id, input, ...more })
    const note = { summary: 'Done.' }

    await expect(call('explode', {})).rejects.toThrow('Unknown Dreaming capability')
    await expect(call('search_entities', { agentId: 'bob' })).rejects.toThrow('agentId')
    await expect(call('search_entities', { limit: 0 })).rejects.toThrow('limit')
    await expect(call('search_entities', { other: 1 })).rejects.toThrow('other')
    await expect(call('runbook_write', note)).rejects.toThrow('live Dreaming pass')
    await expect(call('runbook_write', note, { passId: 'none' })).rejects.toThrow('not running')
    const flag = (id: string) => ({ subjectRef: `entity:${id}`, details: { id }, priority: 50 })
    await expect(call('record_hygiene_attention', flag('x'))).rejects.toThrow('does not exist')
    const { items } = await apply([['create_entity', { name: 'Atlas', entity_type: 'tool' }]])
    const own = flag(String(items[0]?.result?.['entityId']))
    expect((await call('record_hygiene_attention', own)).body).toMatchObject({ kind: 'hygiene' })
    const empty = { operations: [] }
    await expect(call('apply_ontology_ops', empty)).rejects.toThrow('operations')
  },
)
