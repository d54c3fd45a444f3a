import { expect } from 'vitest'
import { applyDreamOperations } from './apply-operations.ts'
import { dreamingKit, onEachEngine } from './dreaming.fixture.ts'
import { readQuality } from './quality.ts'
import { requeueSource } from './requeue.ts'
import { findExclusion, listPendingAttention, saveExclusion } from './store/attention.ts'

const actor = { name: 'ada', type: 'operator' }

onEachEngine('operations cite exact quotes; one failure leaves nothing', async (db) => {
  const { needs, remember, values } = dreamingKit(db)
  const id = await remember('Maud Reyes lives in Lisbon.')
  const quote = 'Maud Reyes lives in Lisbon.'
  const set = (value: string, evidence: object) => ({
    operation: 'set_claim_value',
    payload: { entityId: 'Maud Reyes', aspectId: 'location', claimKey: 'lives_in', value },
    evidence: [evidence],
    confidence: 0.9,
  })
  const source = { sourceKind: 'memory', sourceId: id, quote }
  const call = (operations: readonly unknown[], mode: 'all' | 'each' = 'all') =>
    applyDreamOperations(needs, { agentId: 'ada', actor, operations, mode })

  await expect(call([])).rejects.toThrow('operations are required')
  await expect(call([set('Lisbon', { ...source, quote: 'she lives in Lisbon' })])).rejects.toThrow(
    /operations\[0\].*exact quote/,
  )
  await expect(call([{ ...set('Lisbon', source), confidence: 2 }])).rejects.toThrow('confidence')
  await expect(call([{ operation: 'explode', payload: {} }])).rejects.toThrow('unknown')
  await expect(call([{ ...set('Lisbon', source), evidence: [] }])).rejects.toThrow('exact quote')
  const missing = { operation: 'archive_entity', payload: { target: 'Nobody Here' } }
  await expect(call([missing])).rejects.toThrow('attention provenance')
  const mixed = [set('Lisbon', source), { ...missing, evidence: [source] }]
  expect(await call(mixed)).toMatchObject({ ok: false, items: [{ ok: true }, { ok: false }] })
  expect(await values('Maud Reyes')).toEqual([])
  expect(await call(mixed, 'each')).toMatchObject({ ok: false })
  expect(await values('Maud Reyes')).toEqual(['Lisbon'])
})

onEachEngine('a flag is the provenance of one archive', async (db) => {
  const { needs, apply } = dreamingKit(db)
  const { items } = await apply([
    ['create_entity', { name: 'Old Thing', entity_type: 'tool' }],
    ['create_entity', { name: 'Another Thing', entity_type: 'tool' }],
  ])
  const id = String(items[0]?.result?.['entityId'])
  const archive = {
    operation: 'archive_entity',
    payload: { target: `entity:${id}` },
    provenance: 'attention:$0',
  }
  const flag = { operation: 'flag', payload: { subjectRef: `entity:${id}`, priority: 90 } }
  const call = (operations: readonly unknown[]) =>
    applyDreamOperations(needs, { agentId: 'ada', actor, operations, mode: 'all' })

  const another = String(items[1]?.result?.['entityId'])
  const other = { operation: 'flag', payload: { subjectRef: `entity:${another}`, priority: 90 } }
  expect(await call([other, archive])).toMatchObject({
    ok: false,
    items: [{ ok: true }, { error: expect.stringContaining(`is about entity:${another}`) }],
  })
  expect(await listPendingAttention(db, 'ada', 10)).toEqual([])
  expect(await call([flag, archive, archive])).toMatchObject({ ok: false })
  expect(await call([flag, archive])).toMatchObject({ ok: true })
  expect(await listPendingAttention(db, 'ada', 10)).toEqual([])
  const decline = { operation: 'decline_attention', payload: { attentionId: 'none' } }
  expect(await call([decline])).toMatchObject({
    items: [{ error: 'Attention record is not pending in this agent scope' }],
  })
})

onEachEngine('a flag needs a subject of the agent', async (db) => {
  const { needs, remember, dream, apply } = dreamingKit(db)
  await remember('Maud Reyes lives in Lisbon.')
  await dream()
  const { items } = await apply([
    [
      'add_claim_value',
      { entity: 'Maud Reyes', aspect: 'work', claim_key: 'tool', value: 'a loom' },
    ],
    ['create_entity', { name: 'Lisbon', entity_type: 'place' }],
    ['create_link', { source_entity: 'Maud Reyes', target_entity: 'Lisbon', link_type: 'uses' }],
  ])
  const ids = Object.assign({}, ...items.map(({ result }) => result))
  const flag = async (agentId: string, subjectRef: string) => {
    const operation = { operation: 'flag', payload: { subjectRef, priority: 50 } }
    const call = { agentId, actor, operations: [operation], mode: 'all' } as const
    return (await applyDreamOperations(needs, call)).items[0]
  }
  const refs = [
    `entity:${ids.entityId}`,
    'entity:Maud  Reyes',
    `aspect:${ids.aspectId}`,
    `attribute:${ids.attributeId}`,
    `link:${ids.dependencyId ?? ids.linkId}`,
    'duplicate:maud reyes',
  ]
  for (const ref of refs) {
    expect([ref, await flag('ada', ref)]).toEqual([ref, expect.objectContaining({ ok: true })])
    const error = `The subject of the flag does not exist: ${ref}. Use its id.`
    expect(await flag('bob', ref)).toEqual({ index: 0, ok: false, error })
  }
  for (const ref of ['entity:none', `aspect:${ids.entityId}`, 'link:none', 'duplicate:another'])
    expect(await flag('ada', ref)).toMatchObject({ ok: false })
})

onEachEngine('a source that is left out is read again after a requeue', async (db) => {
  const { needs, remember, dream, values } = dreamingKit(db)
  const sourceId = await remember('Maud Reyes lives in Lisbon.')
  const key = { agentId: 'ada', sourceKind: 'memory', sourceId } as const
  const reason = 'semantic_operation_rejected'
  const at = needs.host.now().toISOString()
  const open = { passId: null, excludedAt: at, requeueRequestedAt: null, resolvedAt: null }
  await saveExclusion(db, { ...key, reason, ...open })
  await dream()
  expect(await values('Maud Reyes')).toEqual([])

  await expect(requeueSource(needs, { agentId: 'bob' }, key)).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await requeueSource(needs, key, key)).toMatchObject({ requeued: true, sourceId })
  expect(await listPendingAttention(db, 'ada', 10)).toMatchObject([{ kind: 'evidence_requeue' }])
  await dream()
  expect(await values('Maud Reyes')).toEqual(['Lisbon'])
  expect(await findExclusion(db, key)).toBeUndefined()
  const left = await listPendingAttention(db, 'ada', 10)
  expect(left.filter(({ kind }) => kind === 'evidence_requeue')).toEqual([])
})

onEachEngine('quality equals a count by hand, and has no rate without rows', async (db) => {
  const { needs, remember, dream, apply } = dreamingKit(db)
  const empty = await readQuality(needs, 'ada')
  expect(empty.citationCoverage.rate).toBeNull()
  expect(empty.graphGarbageRate.rate).toBeNull()
  await remember('Maud Reyes lives in Lisbon.')
  await dream()
  const slot = { entity: 'Atlas', aspect: 'general', claim_key: 'note' }
  await apply([['add_claim_value', { ...slot, value: 'uncited' }]])

  expect(await readQuality(needs, 'ada')).toMatchObject({
    citationCoverage: { totalClaimValues: 2, valuesWithResolvedEpisodicQuote: 1, rate: 0.5 },
    graphGarbageRate: { totalEntities: 2, garbageEntities: 0, rate: 0 },
    structureQuality: { totalAspects: 2, genericAspects: 1, genericAspectRate: 0.5 },
    claims: { active: 2, cited: 1, byOrigin: { rules: 1, model: 0, other: 1 } },
    undoneShare: { removed: 0, applied: 1, rate: 0 },
  })
})
