import { expect, test } from 'vitest'
import { startSharedService } from '../support/shared-service.ts'

const service = await startSharedService()
const ask = service.ask
const atlas = { entity: 'Atlas', aspect: 'tools', claim_key: 'editor' }

async function propose(payload: object, more: object = {}) {
  const body = { operation: 'set_claim_value', payload, ...more }
  const reply = await ask('POST /api/ontology/proposals', { body })
  expect(reply.status).toBe(201)
  return reply.body
}

const listValues = async () => {
  const path = 'entity=Atlas&aspect=tools&group=general&claim=editor'
  const { body } = await ask(`GET /api/ontology/claims/evidence?${path}`)
  const items = (body['items'] ?? []) as { attribute: { content: string }; evidence: unknown[] }[]
  return items.map(({ attribute, evidence }) => ({ content: attribute.content, evidence }))
}

test('a proposal is applied once, cites its memory, and is undone', async () => {
  const saved = await ask('POST /api/memory/remember', { body: { content: 'Atlas uses vim.' } })
  const evidence = [{ memory_id: saved.body['id'], quote: 'Atlas uses vim' }]
  const { id, status } = await propose({ ...atlas, value: 'vim' }, { evidence, confidence: 0.4 })
  expect(status).toBe('pending')
  expect(await ask(`GET /api/ontology/proposals/${id}/evidence`)).toMatchObject({
    status: 200,
    body: { count: 1, items: [{ kind: 'memory', found: true, excerpt: 'Atlas uses vim.' }] },
  })

  const dry = await ask(`POST /api/ontology/proposals/${id}/apply`, { body: { dry_run: true } })
  expect(dry).toMatchObject({ status: 200, body: { status: 'pending', dryRun: true } })
  expect(await listValues()).toEqual([])
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => ask(`POST /api/ontology/proposals/${id}/apply`, { body: {} })),
  )
  expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, ...Array(7).fill(409)])
  expect(await listValues()).toMatchObject([
    {
      content: 'vim',
      evidence: [
        { kind: 'memory', found: true, quote: 'Atlas uses vim', excerpt: 'Atlas uses vim.' },
      ],
    },
  ])

  const undone = await ask(`POST /api/ontology/proposals/${id}/undo`, { body: {} })
  expect(undone).toMatchObject({ status: 200, body: { undoneIds: [id] } })
  expect(await listValues()).toEqual([])
  expect(await ask(`POST /api/ontology/proposals/${id}/undo`, { body: {} })).toMatchObject({
    status: 409,
    body: { code: 'not_applied' },
  })
})

test('a batch is applied whole or not at all, and undone as one', async () => {
  const create = (name: string) => ({ operation: 'create_entity', payload: { name } })
  const failed = await ask('POST /api/ontology/operations/batch', {
    body: { operations: [create('Orion'), create('x')] },
  })
  expect(failed).toMatchObject({ status: 400, body: { code: 'name_rejected', items: [{}, {}] } })
  const missing = { operation: 'archive_entity', payload: { entity: 'Orion' } }
  const dry = await ask('POST /api/ontology/operations/apply', { body: { ...missing } })
  expect(dry).toMatchObject({ status: 404, body: { error: 'Entity not found' } })

  const applied = await ask('POST /api/ontology/operations/batch', {
    body: { operations: [create('Orion'), create('Gemini')] },
  })
  expect(applied).toMatchObject({ status: 200, body: { ok: true } })
  const { batchId } = applied.body
  const undone = await ask('POST /api/ontology/operations/undo', { body: { batch_id: batchId } })
  expect(undone.body['undoneIds']).toHaveLength(2)
})

test('proposals are created all or none, and conflicts are listed', async () => {
  const add = (value: string) => ({
    operation: 'add_claim_value',
    payload: { ...atlas, value },
  })
  const send = (proposals: unknown) =>
    ask('POST /api/ontology/proposals/batch', { body: { proposals, created_by: 'maud' } })
  const listAll = async () =>
    (await ask('GET /api/ontology/proposals?status=pending')).body['items'] as unknown[]
  const before = (await listAll()).length

  expect(await send([add('vim'), { operation: 'soup', payload: {} }])).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('proposals[1]: operation is invalid. Use'), index: 1 },
  })
  expect((await listAll()).length).toBe(before)
  const { status, body } = await send([add('vim'), add('nano'), add('VIM.')])
  expect(status).toBe(201)
  expect(body).toMatchObject({ count: 3, items: [{ createdBy: 'maud' }, {}, {}] })
  const conflicts = await ask('GET /api/ontology/proposals/conflicts')
  expect(conflicts.body).toMatchObject({ count: 1, items: [{ claimKey: 'editor', count: 3 }] })

  const [{ id }] = body['items'] as [{ id: string }]
  const rejected = await ask(`POST /api/ontology/proposals/${id}/reject`, { body: {} })
  expect(rejected.body).toMatchObject({ status: 'rejected', result: { reason: 'rejected' } })
  expect(await ask(`POST /api/ontology/proposals/${id}/apply`, { body: {} })).toMatchObject({
    status: 409,
    body: { code: 'not_pending' },
  })
})

test('an invalid proposal fails, one whose target is missing stays pending', async () => {
  const failing = await propose({ ...atlas, value: '' })
  const apply = (id: unknown) => ask(`POST /api/ontology/proposals/${id}/apply`, { body: {} })
  expect(await apply(failing['id'])).toMatchObject({
    status: 400,
    body: { error: 'value is required' },
  })
  expect((await ask(`GET /api/ontology/proposals/${failing['id']}`)).body).toMatchObject({
    status: 'failed',
    result: { error: 'value is required' },
  })
  const body = { operation: 'archive_entity', payload: { entity: 'Nowhere' } }
  const missing = await ask('POST /api/ontology/proposals', { body })
  expect((await apply(missing.body['id'])).status).toBe(404)
  const pending = await ask(`GET /api/ontology/proposals/${missing.body['id']}`)
  expect(pending.body['status']).toBe('pending')
})

test('bad JSON is an empty object', async () => {
  expect(await ask('POST /api/ontology/proposals', { body: '{' })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('operation is invalid. Use one of: create_') },
  })
})

test('another agent gets the answers of an unknown id', async () => {
  const { id } = await propose({ ...atlas, value: 'private words' })
  for (const path of ['', '/evidence']) {
    const own = await ask(`GET /api/ontology/proposals/${id}${path}`, { agent: 'bob' })
    const unknown = await ask(`GET /api/ontology/proposals/unknown${path}`, { agent: 'bob' })
    expect([own.status, own.body]).toEqual([unknown.status, unknown.body])
  }
  for (const verb of ['apply', 'reject', 'undo']) {
    const options = { agent: 'bob', body: {} }
    const own = await ask(`POST /api/ontology/proposals/${id}/${verb}`, options)
    expect(own).toMatchObject({ status: 404, body: { error: 'Proposal not found' } })
  }
})

test('a token of an agent needs evidence, and has no force', async () => {
  const body = { operation: 'create_entity', payload: { name: 'Vega' } }
  const apply = (more: object) =>
    ask('POST /api/ontology/operations/apply', {
      role: 'agent',
      agent: 'ada',
      scope: { agent: 'ada' },
      body: { ...body, ...more },
    })
  expect(await apply({})).toMatchObject({ status: 409, body: { code: 'evidence_required' } })
  const forced = { payload: { name: 'Vega', force: true } }
  expect(await apply(forced)).toMatchObject({
    status: 403,
    body: { code: 'autonomous_force_denied' },
  })
})

test('entities are split, merged, named and pinned over HTTP', async () => {
  const create = (name: string) =>
    ask('POST /api/ontology/operations/apply', {
      body: { operation: 'create_entity', payload: { name, entity_type: 'project' } },
    }).then(({ body }) => String((body['result'] as { entityId: string }).entityId))
  const [one, two] = [await create('Node.js'), await create('Node JS')]

  const propose = async () => {
    const body = { write_proposals: true }
    return (await ask('POST /api/ontology/proposals/repair/duplicates', { body })).body
  }
  const duplicates = await Promise.all([propose(), propose()])
  expect(duplicates.map(({ writtenCount }) => writtenCount).toSorted()).toEqual([0, 1])
  expect(await propose()).toMatchObject({ count: 1, writtenCount: 0, skippedCount: 1 })
  const plan = await ask('POST /api/ontology/proposals/repair/merge-plan', {
    body: { target_id: one, source_ids: [two] },
  })
  expect(plan).toMatchObject({ status: 200, body: { dryRun: true, targetEntityId: one } })
  const merged = await ask(`POST /api/ontology/entities/${one}/merge`, {
    body: { source_ids: [two] },
  })
  expect(merged).toMatchObject({ status: 200, body: { mergedEntities: [{ entityId: two }] } })
  const aliases = await ask(`GET /api/ontology/entities/${one}/aliases`)
  expect(aliases.body).toMatchObject({ items: [{ alias: 'Node JS', status: 'active' }] })
  const added = await ask(`POST /api/ontology/entities/${one}/aliases`, { body: { alias: 'Node' } })
  expect(added).toMatchObject({ status: 201, body: { item: { alias: 'Node', confidence: 1 } } })
  const again409 = await ask(`POST /api/ontology/entities/${one}/aliases`, {
    body: { alias: 'node' },
  })
  expect(again409).toMatchObject({ status: 409, body: { code: 'alias_exists' } })
  const { id: aliasId } = added.body['item'] as { id: string }
  const archived = await ask(`DELETE /api/ontology/entities/${one}/aliases/${aliasId}`)
  expect(archived).toMatchObject({ status: 200, body: { item: { status: 'archived' } } })
  expect((await ask(`POST /api/knowledge/entities/${one}/pin`)).body).toMatchObject({
    pinned: true,
  })
  const split = await ask(`POST /api/ontology/entities/${one}/split`, {
    body: { name: 'Deno Land' },
  })
  expect(split).toMatchObject({ status: 201, body: { entity: { name: 'Deno Land' } } })
  const unknown = await ask('POST /api/ontology/entities/unknown/split', { body: { name: 'Part' } })
  expect(unknown).toMatchObject({ status: 404, body: { error: 'Entity not found' } })
})

test('an assertion is stored, linked, superseded and archived over HTTP', async () => {
  const applied = await ask('POST /api/ontology/operations/apply', {
    body: {
      operation: 'add_claim_value',
      payload: { entity: 'Lyra', aspect: 'tools', claim_key: 'editor', value: 'vim' },
    },
  })
  const { attributeId } = applied.body['result'] as { attributeId: string }
  const path = 'POST /api/ontology/assertions'
  const body = { entity: 'Lyra', content: 'Lyra uses vim.', evidence: ['Maud says so'] }
  expect(await ask(path, { body: { ...body, evidence: [] } })).toMatchObject({
    status: 400,
    body: { error: 'evidence or source provenance is required' },
  })
  const created = await ask(path, { body })
  expect(created).toMatchObject({ status: 201, body: { predicate: 'claims', status: 'active' } })
  const { id } = created.body as { id: string }
  const linked = await ask(`${path}/${id}/link-claim`, { body: { attribute_id: attributeId } })
  expect(linked).toMatchObject({ status: 200, body: { claim_attribute_id: attributeId } })
  const next = await ask(`${path}/${id}/supersede`, { body: { content: 'Lyra uses nano.' } })
  expect(next).toMatchObject({ status: 200, body: { supersedesAssertionId: id } })
  const again = await ask(`${path}/${id}/archive`, { body: {} })
  expect(again).toMatchObject({ status: 409, body: { code: 'assertion_not_active' } })
  const list = await ask('GET /api/ontology/assertions?entity=Lyra&status=all')
  expect(list.body).toMatchObject({ count: 2, items: [{ status: 'active' }, { id }] })
  for (const [method, verb] of [
    ['GET', ''],
    ['POST', '/link-claim'],
    ['POST', '/archive'],
    ['POST', '/supersede'],
  ]) {
    const options = {
      agent: 'bob',
      ...(method === 'POST' && { body: { content: 'x', attribute_id: attributeId } }),
    }
    const own = await ask(`${method} /api/ontology/assertions/${id}${verb}`, options)
    const unknown = await ask(`${method} /api/ontology/assertions/unknown${verb}`, options)
    expect([own.status, own.body]).toEqual([unknown.status, unknown.body])
    expect(own.status).toBe(404)
  }
})

test('the overlay shows pending proposals at their entity, and counts decisions', async () => {
  const agent = 'overlay-reader'
  const send = (call: string, body: object = {}) => ask(call, { agent, body })
  const proposal = async (operation: string, payload: object) =>
    (await send('POST /api/ontology/proposals', { operation, payload })).body
  const created = await proposal('create_entity', { name: 'Harbour Crane' })
  const { body } = await send(`POST /api/ontology/proposals/${created['id']}/apply`)
  const { entityId } = body['result'] as { entityId: string }
  const rejected = await proposal('create_entity', { name: 'the' })
  await send(`POST /api/ontology/proposals/${rejected['id']}/apply`)
  const claim = { entity: 'harbour CRANE', aspect: 'load', claim_key: 'limit', value: '40 tonnes' }
  const { id } = await proposal('add_claim_value', claim)

  const overlay = await ask('GET /api/knowledge/constellation', { agent })
  expect(overlay.body).toMatchObject({
    metadata: { proposals: { pending: 1, appliedRecent: 1, failedRecent: 1 } },
    proposals: [
      {
        id,
        operation: 'add_claim_value',
        targetEntityId: entityId,
        targetEntityName: 'Harbour Crane',
        targetAspectName: 'load',
        preview: '40 tonnes',
        evidenceCount: 0,
      },
    ],
  })
  const other = await ask('GET /api/knowledge/constellation', { agent: 'overlay-other' })
  expect(other.body).toMatchObject({ proposals: [], metadata: { proposals: { pending: 0 } } })
})

test('an item of a proposal batch may name its own author and source', async () => {
  const item = (name: string) => ({ operation: 'create_entity', payload: { name } })
  const proposals = [item('Lock Gate'), { ...item('Dry Dock'), created_by: 'eve', source_id: 'b' }]
  const shared = { created_by: 'ada', source_kind: 'memory', source_id: 'a' }
  const body = { proposals, ...shared, agent_id: 'batch-author' }
  const reply = await ask('POST /api/ontology/proposals/batch', { body, agent: 'batch-author' })
  expect(reply).toMatchObject({
    status: 201,
    body: {
      items: [
        { createdBy: 'ada', sourceId: 'a' },
        { createdBy: 'eve', sourceId: 'b' },
      ],
    },
  })
})
