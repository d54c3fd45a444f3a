import { expect } from 'vitest'
import type { EvidenceItem } from '../evidence/evidence.ts'
import { dumpAll, type Operation, onEachEngine, ontologyKit } from '../ontology.fixture.ts'

const atlas = { entity: 'Atlas', aspect: 'tools', claim_key: 'editor' }
const pipeline = { name: 'dreaming', type: 'pipeline' }

onEachEngine(
  'add_claim_value writes the value with its citation, audit row and memory',
  async (db) => {
    const { apply, remember, service } = ontologyKit(db)
    const id = await remember('Atlas uses vim as its editor.')
    const quote = 'Atlas uses vim'
    const { ok, items } = await apply([
      ['add_claim_value', { ...atlas, value: 'vim' }, { evidence: [{ memory_id: id, quote }] }],
    ])

    expect(ok).toBe(true)
    const [item] = items
    expect(item).toMatchObject({
      status: 'applied',
      result: { deduped: false, contradictionIds: [] },
    })
    const attributeId = String(item?.result?.['attributeId'])
    const dump = await dumpAll(db)
    expect(dump.knowledgeCitations.filter((row) => row.includes(attributeId))).toEqual([
      expect.stringContaining(quote),
    ])
    expect(dump.memories.some((row) => row.includes('Atlas, editor: vim'))).toBe(true)
    const evidence = await service.readEvidence(db, 'ada', { kind: 'memory', id })
    expect(evidence).toMatchObject({ text: 'Atlas uses vim as its editor.', trust: 'own' })
    expect(await service.readEvidence(db, 'bob', { kind: 'memory', id })).toBeUndefined()
  },
)

onEachEngine(
  'one failure undoes a batch of the mode all, and its own operation with each',
  async (db) => {
    const { apply } = ontologyKit(db)
    const operations: Operation[] = [
      ['create_entity', { name: 'Atlas', entity_type: 'project' }],
      ['create_link', { source_entity: 'Atlas', target_entity: 'Nowhere', link_type: 'uses' }],
      ['create_entity', { name: 'Orion' }],
    ]
    const before = await dumpAll(db)

    const all = await apply(operations)
    expect(all).toMatchObject({ ok: false, batchId: null })
    expect(all.items[1]).toMatchObject({ status: 'failed', error: { kind: 'not_found' } })
    expect(await dumpAll(db)).toEqual(before)

    const each = await apply(operations, { mode: 'each' })
    expect(each.items.map(({ status }) => status)).toEqual(['applied', 'failed', 'applied'])
    expect((await dumpAll(db)).entities).toHaveLength(2)
  },
)

onEachEngine('an operation sees the rows of the operations before it in the batch', async (db) => {
  const { apply } = ontologyKit(db)
  const value = (operation: string, value: string): Operation => [operation, { ...atlas, value }]
  await apply([value('add_claim_value', 'vim')])
  const { items } = await apply([
    value('add_claim_value', 'Vim.'),
    value('add_claim_value', 'emacs'),
    value('add_claim_value', 'Emacs'),
    value('set_claim_value', 'nano'),
    value('add_claim_value', 'nano'),
    ['archive_aspect', { entity: 'Atlas', aspect: 'tools', force: true }],
    value('add_claim_value', 'ed'),
  ])

  expect(items.map(({ result }) => result?.['deduped'])).toEqual([
    true,
    false,
    true,
    false,
    true,
    undefined,
    false,
  ])
  expect(items[3]?.result).toMatchObject({ version: 2, previousWasActive: true })
  const idOf = (index: number) => items[index]?.result?.['attributeId']
  expect(new Set(items[3]?.result?.['supersededAttributeIds'] as string[])).toEqual(
    new Set([idOf(0), idOf(1)]),
  )
  expect(idOf(4)).toBe(idOf(3))
  expect(idOf(6)).not.toBe(idOf(1))
})

onEachEngine('an operation sees the entities that the batch has created', async (db) => {
  const { apply } = ontologyKit(db)
  const value = (operation: string, value: string): Operation => [operation, { ...atlas, value }]
  const { items } = await apply([
    value('add_claim_value', 'vim'),
    value('add_claim_value', 'Vim.'),
    value('add_claim_value', 'emacs'),
    value('set_claim_value', 'nano'),
    value('add_claim_value', 'nano'),
    ['rename_entity', { entity: 'Atlas', new_name: 'Atlas Two' }],
    value('add_claim_value', 'ed'),
    ['create_entity', { name: 'Orion' }],
    ['create_entity', { name: 'orion ' }],
  ])

  const results = items.map(({ result }) => result as Record<string, unknown>)
  expect(results.slice(0, 5).map(({ deduped }) => deduped)).toEqual([
    false,
    true,
    false,
    false,
    true,
  ])
  expect(results[3]).toMatchObject({ version: 2, previousWasActive: true })
  expect(new Set(results[3]?.['supersededAttributeIds'] as string[])).toEqual(
    new Set([results[0]?.['attributeId'], results[2]?.['attributeId']]),
  )
  expect(results[6]?.['entityId']).not.toBe(results[0]?.['entityId'])
  expect(results[8]?.['entityId']).toBe(results[7]?.['entityId'])
  expect((await dumpAll(db)).entities).toHaveLength(3)
})

onEachEngine('a dry run returns its changes and leaves nothing', async (db) => {
  const { apply, emitted } = ontologyKit(db)
  const before = await dumpAll(db)
  const { ok, items } = await apply([['create_entity', { name: 'Atlas' }]], { dryRun: true })

  expect(ok).toBe(true)
  expect(items[0]?.changes.map(({ table }) => table)).toContain('entities')
  expect(await dumpAll(db)).toEqual(before)
  expect(emitted).toEqual([])
})

onEachEngine('a rename to the same name changes nothing', async (db) => {
  const { apply } = ontologyKit(db)
  const rename = (new_name: string): Operation => ['rename_entity', { entity: 'Atlas', new_name }]
  await apply([['create_entity', { name: 'Atlas' }]])
  const { items } = await apply([rename('Atlas'), rename('ATLAS')])

  expect(items.map(({ status }) => status)).toEqual(['no_change', 'applied'])
})

onEachEngine('automated writers need a source and have no force', async (db) => {
  const { apply, remember } = ontologyKit(db)
  const id = await remember('Atlas uses vim.')
  const set = (more: object, evidence: readonly object[] = []): Operation => [
    'set_claim_value',
    { ...atlas, value: 'vim', ...more },
    { evidence } as never,
  ]
  const failureOf = async (operation: Operation, citations?: 'exact-quote') => {
    const { items } = await apply([operation], { actor: pipeline, ...(citations && { citations }) })
    return items[0]?.error?.code
  }

  expect(await failureOf(set({}))).toBe('evidence_required')
  expect(await failureOf(set({}, [{ memory_id: 'unknown' }]))).toBe('evidence_required')
  expect(await failureOf(set({ force: true }, [{ memory_id: id }]))).toBe('autonomous_force_denied')
  expect(await failureOf(set({}, [{ memory_id: id, quote: 'Atlas uses nano' }]))).toBe(
    'quote_not_found',
  )
  expect(await failureOf(set({}, [{ memory_id: id }]), 'exact-quote')).toBe('quote_not_found')
  expect(
    await failureOf(set({}, [{ memory_id: id, quote: 'uses vim' }]), 'exact-quote'),
  ).toBeUndefined()
})

onEachEngine('a quote of a person must be in the source that it names', async (db) => {
  const { apply, remember } = ontologyKit(db)
  const memory_id = await remember('Atlas uses vim.')
  const set = async (evidence: readonly EvidenceItem[]) => {
    const change: Operation = ['set_claim_value', { ...atlas, value: 'vim' }, { evidence }]
    const { items } = await apply([change], { citations: 'matching' })
    return items[0]?.error?.code
  }

  expect(await set([{ memory_id, quote: 'Atlas uses nano' }])).toBe('quote_not_found')
  expect(await set([{ memory_id, quote: 'uses vim' }])).toBeUndefined()
  expect(await set([{ memory_id }])).toBeUndefined()
  expect(await set([{ quote: 'Maud says so' }])).toBeUndefined()
  expect(await set([])).toBeUndefined()
})

onEachEngine('every way to name a source becomes its citation', async (db) => {
  const { apply, remember } = ontologyKit(db)
  const id = await remember('Atlas uses vim.')
  const quote = 'Atlas uses vim'
  const ways = [
    { memory_id: id, quote },
    { source_kind: 'memory', source_id: id, quote },
    { sourceKind: 'memory', sourceId: id, quote },
    { kind: 'memory', source_id: id, quote },
    { kind: 'memory', id, quote },
    { source_ref: `memory:${id}`, quote },
  ]
  const cite = async (evidence: readonly (string | Record<string, string>)[], at: number) => {
    const payload = { ...atlas, claim_key: `editor ${at}`, value: 'vim' }
    const { items } = await apply([['set_claim_value', payload, { evidence }]])
    const rows = (await dumpAll(db)).knowledgeCitations.map((row) => JSON.parse(row))
    return rows
      .filter(({ subjectId }) => subjectId === items[0]?.result?.['attributeId'])
      .map(({ sourceKind, sourceId, quote }) => ({ sourceKind, sourceId, quote }))
  }

  for (const [at, item] of ways.entries())
    expect(await cite([item], at)).toEqual([{ sourceKind: 'memory', sourceId: id, quote }])
  const own = { sourceKind: 'ontology_proposal', quote: 'Maud says so' }
  expect(await cite(['Maud says so'], 10)).toMatchObject([own])
  expect(await cite([{ quote: 'Maud says so' }], 11)).toMatchObject([own])
  // The words of a source that is unknown are not repeated.
  expect(await cite([{ memory_id: 'unknown', quote: 'words' }], 12)).toMatchObject([
    { sourceKind: 'ontology_proposal', quote: '' },
  ])
})

onEachEngine('late evidence of an automated writer is history', async (db) => {
  const { apply, remember, host } = ontologyKit(db)
  const old = await remember('Atlas used nano.')
  host.advance(60_000)
  const recent = await remember('Atlas uses vim.')
  const set = (value: string, id: string) =>
    apply([['set_claim_value', { ...atlas, value }, { evidence: [{ memory_id: id }] }]], {
      actor: pipeline,
    })

  await set('vim', recent)
  const { items } = await set('nano', old)
  expect(items[0]?.result).toMatchObject({ current: false })
})

onEachEngine('values that contradict each other are recorded until one leaves', async (db) => {
  const { apply, service, undo } = ontologyKit(db)
  const add = (value: string) =>
    apply([['add_claim_value', { ...atlas, value }]]).then(({ items }) => items[0])
  await add('Atlas deploys with Redis cache')
  const second = await add('Atlas never deploys with Redis cache')

  const [open] = await service.listContradictions(db, 'ada', 10)
  expect(second?.result?.['contradictionIds']).toEqual([open?.id])
  expect(await service.listContradictions(db, 'bob', 10)).toEqual([])
  const archived = await apply([
    ['archive_claim_value', { attribute_id: second?.result?.['attributeId'] }],
  ])
  expect(await service.listContradictions(db, 'ada', 10)).toEqual([])
  await undo({ batchId: String(archived.batchId) })
  expect(await service.listContradictions(db, 'ada', 10)).toEqual([open])
})

onEachEngine('a contradiction is hidden with the evidence of either value', async (db) => {
  const { apply, remember, host, service, knowledge } = ontologyKit(db)
  const add = async (value: string, memory_id: string) => {
    await apply([['add_claim_value', { ...atlas, value }, { evidence: [{ memory_id }] }]])
    host.advance(1000)
  }
  const [one, two] = [await remember('one memory'), await remember('another memory')]
  await add('Atlas deploys with Redis cache', one)
  await add('Atlas never deploys with Redis cache', one)
  await add('Atlas builds docs with Sphinx tools', one)
  await add('Atlas never builds docs with Sphinx tools', two)
  const list = (limit: number) => service.listContradictions(db, 'ada', limit)
  const [newer, older] = await list(10)
  expect(older).toBeDefined()
  expect(await list(1)).toEqual([newer])

  const change = { agentId: 'ada', kind: 'memory', ids: [two] } as const
  await knowledge.evidenceDependant.forgotten(db, change)
  expect(await list(10)).toEqual([older])
  expect(await list(1)).toEqual([older])
  await knowledge.evidenceDependant.recovered(db, change)
  expect(await list(10)).toEqual([newer, older])
})

onEachEngine('another agent finds nothing of the graph', async (db) => {
  const { apply } = ontologyKit(db)
  const { items } = await apply([['add_claim_value', { ...atlas, value: 'vim' }]])
  const attribute_id = items[0]?.result?.['attributeId']
  const asBob = async (operation: Operation) =>
    (await apply([operation], { agentId: 'bob' })).items[0]

  expect(await asBob(['archive_entity', { entity: 'Atlas' }])).toEqual(
    await asBob(['archive_entity', { entity: 'Unknown' }]),
  )
  expect(await asBob(['archive_claim_value', { attribute_id }])).toEqual(
    await asBob(['archive_claim_value', { attribute_id: 'unknown' }]),
  )
})
