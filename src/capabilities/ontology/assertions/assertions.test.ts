import { expect } from 'vitest'
import type { Db } from '../../../kernel/db/database.ts'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { createEvidenceDependant } from '../forgetting.ts'
import { onEachEngine, ontologyKit } from '../ontology.fixture.ts'
import { listVisibleAssertions, readAssertion } from './read-assertions.ts'
import { assertionBody, assertionsQuery } from './schemas.ts'
import { assertionEvents } from './session-events.ts'
import {
  archiveAssertion,
  createAssertion,
  linkClaim,
  supersedeAssertion,
} from './write-assertions.ts'

const ada = callerFor('ada')
const slot = { aspect: 'tools', claim_key: 'editor' }

async function assertionKit(db: Db) {
  const kit = ontologyKit(db)
  const { needs, apply, host } = kit
  const { items } = await apply([
    ['add_claim_value', { ...slot, entity: 'Atlas', value: 'vim' }],
    ['add_claim_value', { ...slot, entity: 'Orion', value: 'nano' }],
  ])
  const [atlasClaim, orionClaim] = items.map(({ result }) => String(result?.['attributeId']))
  const assert = (body: object, caller = ada) => {
    host.advance(1000)
    return createAssertion(needs, caller, assertionBody.parse(body))
  }
  const list = async (query: object = {}) => {
    const page = await listVisibleAssertions(needs, 'ada', assertionsQuery.parse(query))
    expect(page.count).toBe(page.items.length)
    return page.items.map(({ content }) => content)
  }
  const read = (id: string) => readAssertion(needs, db, { agentId: 'ada', id })
  return { ...kit, atlasClaim: atlasClaim ?? '', orionClaim: orionClaim ?? '', assert, list, read }
}

const quoted = { evidence: ['Maud said so'] }

onEachEngine('an assertion is stored with its source and found by every filter', async (db) => {
  const { assert, list, atlasClaim, remember } = await assertionKit(db)
  const memoryId = await remember('Maud says that Atlas is slow.')
  const stored = await assert({
    entity: 'atlas',
    content: 'Atlas is SLOW 100%.',
    predicate: 'observed',
    speaker: 'Maud',
    confidence: 3,
    source_kind: 'memory',
    source_id: memoryId,
    claim_attribute_id: atlasClaim,
    asserted_at: '2026-01-01',
  })
  await assert({ entity: 'Orion', content: 'Orion is fast.', ...quoted })

  expect(stored).toMatchObject({
    observerId: 'ada',
    subjectEntityName: 'Atlas',
    normalizedContent: 'atlas is slow 100%',
    confidence: 1,
    assertedAt: '2026-01-01T00:00:00.000Z',
    asserted_at: '2026-01-01T00:00:00.000Z',
    claim_attribute_id: atlasClaim,
    status: 'active',
  })
  expect(await list()).toEqual(['Orion is fast.', 'Atlas is SLOW 100%.'])
  for (const query of [
    { entity: 'Atlas' },
    { entity_id: stored.subjectEntityId },
    { predicate: 'observed' },
    { speaker: 'Maud' },
    { source_kind: 'memory' },
    { source_id: memoryId },
    { query: 'slow 100%' },
  ])
    expect([query, await list(query)]).toEqual([query, ['Atlas is SLOW 100%.']])
  for (const query of [{ entity: 'Nothing' }, { query: 's_ow' }, { status: 'archived' }])
    expect([query, await list(query)]).toEqual([query, []])
})

onEachEngine('an invalid assertion is refused with its cause', async (db) => {
  const { assert, list, orionClaim } = await assertionKit(db)
  const body = { entity: 'Atlas', content: 'Atlas is slow.', ...quoted }
  const refused: readonly [object, string, string][] = [
    [{ ...body, entity: undefined }, 'invalid', 'entity or entity_id is required'],
    [{ ...body, entity: 'Nothing' }, 'not_found', 'entity was not found'],
    [{ ...body, entity_id: 'nothing' }, 'not_found', 'entity_id was not found'],
    [{ ...body, evidence: [] }, 'invalid', 'evidence or source provenance is required'],
    [{ ...body, claim_attribute_id: 'x' }, 'not_found', 'claim attribute was not found'],
    [{ ...body, claim_attribute_id: orionClaim }, 'conflict', 'belongs to a different entity'],
    [{ ...body, content: 'a\0b' }, 'invalid', 'content must not contain NUL'],
  ]
  for (const [input, kind, message] of refused)
    await expect(assert(input), message).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(message),
    })
  for (const [field, message] of [
    [{ content: ' ' }, 'content is required'],
    [{ predicate: 'soup' }, 'predicate is invalid. Use one of: claims, believes'],
    [{ asserted_at: 'soup' }, 'asserted_at is invalid'],
  ] as const)
    expect(assertionBody.safeParse({ ...body, ...field }).error?.message).toContain(message)
  await expect(assert(body, { ...ada, actorType: 'agent' })).rejects.toMatchObject({
    code: 'evidence_required',
  })
  expect(await list()).toEqual([])
})

onEachEngine('an assertion is superseded, linked and archived once', async (db) => {
  const { assert, list, read, needs, atlasClaim } = await assertionKit(db)
  const body = { entity: 'Atlas', content: 'Atlas is slow.', predicate: 'believes', ...quoted }
  const { id } = await assert({ ...body, speaker: 'Maud' })
  const supersede = (fields: object) =>
    supersedeAssertion(needs, ada, { ...assertionBody.parse(fields), id })

  await expect(supersede({ content: 'It is fast.', entity: 'Orion' })).rejects.toMatchObject({
    message: 'Supersede cannot change assertion subject entity.',
  })
  const next = await supersede({ content: 'Atlas is fast.', entity: 'Atlas' })
  expect(next).toMatchObject({
    supersedesAssertionId: id,
    predicate: 'believes',
    speaker: 'Maud',
    evidence: ['Maud said so'],
  })
  expect(await read(id)).toMatchObject({ status: 'superseded' })
  await expect(supersede({ content: 'Again.' })).rejects.toMatchObject({
    code: 'assertion_not_active',
  })
  expect(
    await linkClaim(needs, { agentId: 'ada', id: next.id, attributeId: atlasClaim }),
  ).toMatchObject({ claimAttributeId: atlasClaim })
  const archive = { agentId: 'ada', id: next.id, actor: 'maud', reason: 'old' }
  expect(await archiveAssertion(needs, archive)).toMatchObject({
    status: 'archived',
    archivedBy: 'maud',
    archiveReason: 'old',
    evidence: ['Maud said so'],
  })
  await expect(archiveAssertion(needs, archive)).rejects.toMatchObject({
    code: 'assertion_not_active',
  })
  expect(await list()).toEqual([])
  expect(await list({ status: 'all' })).toEqual(['Atlas is fast.', 'Atlas is slow.'])
})

onEachEngine('an assertion is hidden, shown and purged with its evidence', async (db) => {
  const { assert, list, remember, host } = await assertionKit(db)
  const [one, two] = [await remember('Atlas is slow.'), await remember('Atlas sleeps.')]
  const evidence = [{ memory_id: one }]
  await assert({ entity: 'Atlas', content: 'single', evidence })
  await assert({ entity: 'Atlas', content: 'both', evidence: [...evidence, { memory_id: two }] })
  const dependant = createEvidenceDependant({ host })
  const change = { agentId: 'ada', kind: 'memory', ids: [one] } as const

  await dependant.forgotten(db, change)
  expect(await list()).toEqual(['both'])
  await dependant.recovered(db, change)
  expect(await list()).toEqual(['both', 'single'])
  await dependant.forgotten(db, change)
  await dependant.purged(db, change)
  await dependant.recovered(db, change)
  expect(await list()).toEqual(['both'])
})

onEachEngine('an assertion follows its subject through a merge and out of sight', async (db) => {
  const { assert, list, read, apply, undo, remember, knowledge } = await assertionKit(db)
  const memoryId = await remember('Vega is a star.')
  const evidence = [{ memory_id: memoryId }]
  await apply([['create_entity', { name: 'Vega' }, { evidence }]])
  const { id } = await assert({ entity: 'Vega', content: 'Vega shines.', ...quoted })
  const { items } = await apply([['merge_entities', { target: 'Orion', sources: ['Vega'] }]])
  expect(await list({ entity: 'Orion' })).toEqual(['Vega shines.'])
  expect(await read(id)).toMatchObject({ subjectEntityName: 'Orion' })
  await undo({ proposalId: String(items[0]?.proposalId) })
  expect(await list({ entity: 'Orion' })).toEqual([])

  const change = { agentId: 'ada', kind: 'memory', ids: [memoryId] } as const
  await knowledge.evidenceDependant.forgotten(db, change)
  expect(await list()).toEqual([])
  await expect(read(id)).rejects.toMatchObject({ message: 'Assertion not found' })
  await knowledge.evidenceDependant.recovered(db, change)
  expect(await read(id)).toMatchObject({ subjectEntityName: 'Vega' })
  await knowledge.evidenceDependant.forgotten(db, change)
  await knowledge.evidenceDependant.purged(db, change)
  const rows = db.withTables<{ epistemicAssertions: { id: string } }>()
  expect(await rows.selectFrom('epistemicAssertions').select('id').execute()).toEqual([])
})

onEachEngine('an assertion about a merged entity is hidden with the target', async (db) => {
  const { assert, list, read, apply, undo, remember, knowledge } = await assertionKit(db)
  const memoryId = await remember('Lyra and Cygnus are constellations.')
  const evidence = [{ memory_id: memoryId }]
  const merge = async (source: string, target: string) => {
    const { items } = await apply([['merge_entities', { target, sources: [source] }]])
    return String(items[0]?.proposalId)
  }
  const follow = (event: 'forgotten' | 'recovered' | 'purged') =>
    knowledge.evidenceDependant[event](db, { agentId: 'ada', kind: 'memory', ids: [memoryId] })
  const scope = { agentId: 'ada', sessionKey: 'agent:ada:vega' }
  const listEvents = () => assertionEvents.listEvents(db, scope, 10)
  await apply([['create_entity', { name: 'Vega' }]])
  for (const name of ['Lyra', 'Cygnus']) await apply([['create_entity', { name }, { evidence }]])
  const body = { entity: 'Vega', content: 'Vega shines.', ...quoted }
  const { id } = await assert(body, { ...ada, ...scope })
  const first = await merge('Vega', 'Lyra')
  const second = await merge('Lyra', 'Cygnus')
  expect(await list()).toEqual(['Vega shines.'])

  await follow('forgotten')
  expect(await list()).toEqual([])
  expect(await listEvents()).toEqual([])
  await expect(read(id)).rejects.toMatchObject({ message: 'Assertion not found' })
  await follow('recovered')
  expect(await list({ entity: 'Cygnus' })).toEqual(['Vega shines.'])
  expect(await listEvents()).toHaveLength(1)

  await undo({ proposalId: second })
  await follow('forgotten')
  expect(await list()).toEqual([])
  await undo({ proposalId: first })
  expect(await list({ entity: 'Vega' })).toEqual(['Vega shines.'])
  expect(await listEvents()).toHaveLength(1)

  await follow('recovered')
  await merge('Vega', 'Lyra')
  await follow('forgotten')
  await follow('purged')
  const rows = db.withTables<{ epistemicAssertions: { id: string } }>()
  expect(await rows.selectFrom('epistemicAssertions').select('id').execute()).toEqual([])
})

onEachEngine('assertions are events of their session', async (db) => {
  const { assert } = await assertionKit(db)
  const body = { entity: 'Atlas', content: 'Atlas is slow.', ...quoted }
  const { id } = await assert(body, { ...ada, sessionKey: 'agent:ada:one' })
  const scope = { agentId: 'ada', sessionKey: 'agent:ada:one' }

  expect(await assertionEvents.listEvents(db, scope, 10)).toMatchObject([
    { id: `assertion:${id}`, kind: 'assertion.created', payload: { predicate: 'claims' } },
  ])
  expect(await assertionEvents.countEvents(db, scope, { limit: 10 })).toMatchObject([
    { sessionKey: 'agent:ada:one', count: 0 },
  ])
  expect(await assertionEvents.listEvents(db, { ...scope, project: 'tea' }, 10)).toEqual([])
})
