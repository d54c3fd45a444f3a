import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { callOf, listOperations, type Operation } from '../support/operations.ts'
import { startSharedService } from '../support/shared-service.ts'

const owner = 'graphowner'
const outsider = 'graphoutsider'
const service = await startSharedService(owner)
await startSharedService(outsider)

/** A word of every row of the owner; requests never name it. */
const secret = 'marzipan'
const names = { known: 'Umbragetarn', alias: 'Umbragefell', unknown: 'Quibbletarn' }
const slot = { entity: names.known, aspect: 'habits', claim_key: 'place' }

const post = async (path: string, body: object) => {
  const reply = await service.ask(`POST ${path}`, { body })
  expect([path, reply.status]).toEqual([path, expect.toBeOneOf([200, 201])])
  return reply.body
}
const apply = (operation: string, payload: object, more = {}) =>
  post('/api/ontology/operations/apply', { operation, payload, ...more })

const ids = await seed()

/** One row of each kind. */
async function seed(): Promise<Readonly<Record<string, string>>> {
  const memory = await post('/api/memory/remember', { content: `It lives in ${secret}.` })
  const evidence = [{ memory_id: memory['id'], quote: secret }]
  const claim = await apply('add_claim_value', { ...slot, value: `in ${secret}` }, { evidence })
  const { entityId, aspectId, attributeId } = claim['result'] as Record<string, string>
  await apply('add_claim_value', { ...slot, value: `never in ${secret}` })
  await apply('create_entity', { name: 'Umbragecape', description: secret })
  const ends = { source_entity: names.known, target_entity: 'Umbragecape', link_type: 'uses' }
  const link = await apply('create_link', { ...ends, reason: secret })
  const alias = await post(`/api/ontology/entities/${entityId}/aliases`, { alias: names.alias })
  const waiting = { operation: 'add_claim_value', payload: { ...slot, value: secret } }
  const pending = await post('/api/ontology/proposals', waiting)
  const said = { entity: names.known, content: secret, evidence: [secret] }
  const assertion = await post('/api/ontology/assertions', said)
  const idOf = (value: unknown) => String((value as { id: unknown }).id)
  return {
    memory: String(memory['id']),
    entity: String(entityId),
    aspect: String(aspectId),
    attribute: String(attributeId),
    link: (link['result'] as { dependencyId: string }).dependencyId,
    alias: idOf(alias['item']),
    applied: String(claim['id']),
    pending: String(pending['id']),
    batch: String(claim['batchId']),
    assertion: idOf(assertion),
  }
}

interface Values {
  readonly id: string
  readonly name: string
}

/** Every parameter that any route of the graph reads. */
function toRequest({ id, name }: Values) {
  const payload = {
    ...slot,
    entity: name,
    target: name,
    sources: [name],
    value: 'here',
    attribute_id: id,
    id,
  }
  const one = { operation: 'archive_claim_value', payload }
  const query = new URLSearchParams({
    entity: name,
    name,
    q: name,
    aspect: slot.aspect,
    group: 'general',
    claim: slot.claim_key,
    limit: '20',
    memory_id: id,
    subject: name,
    id_prefix: id,
  })
  const body = {
    ...one,
    proposals: [one],
    operations: [one],
    dry_run: true,
    entity: name,
    entity_id: id,
    content: 'words',
    evidence: [{ memory_id: id }],
    attribute_id: id,
    claim_attribute_id: id,
    target_id: id,
    source_ids: [id],
    batch_id: id,
    name: 'Part Of It',
    aspect_ids: [id],
    attribute_ids: [id],
    link_ids: [id],
    alias: name,
    reason: 'test',
    from: `memory:${id}`,
    items: [],
    ids: [id],
  }
  return { query, body }
}

const isUuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g

/** Without what the caller sent, and what differs from call to call. */
async function send(operation: Operation, values: Values, more: object = {}) {
  const { query, body } = toRequest(values)
  const { status, body: reply } = await service.ask(`${callOf(operation, values.id)}?${query}`, {
    agent: outsider,
    ...(operation.method === 'GET' ? {} : { body: { ...body, ...more } }),
  })
  const text = JSON.stringify(reply)
    .replaceAll(new RegExp(`${names.known}|${names.alias}|${names.unknown}`, 'gi'), '<name>')
    .replaceAll(isUuid, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
  expect(text).not.toContain(secret)
  expect(status).toBeLessThan(500)
  return { status, text }
}

const operations = (await listOperations(service)).filter(
  ({ path }) => path.startsWith('/api/knowledge/') || path.startsWith('/api/ontology/'),
)
const unknown = () => ({ id: randomUUID(), name: names.unknown })

test('the routes of the graph are found', () => {
  expect(operations.length).toBeGreaterThan(40)
})

test.for(operations.filter(({ path }) => path.includes('{')))(
  '$name answers an id of another agent as an unknown one',
  async (operation) => {
    const expected = await send(operation, unknown())

    for (const [kind, id] of Object.entries(ids))
      expect([kind, await send(operation, { id, name: names.unknown })]).toEqual([kind, expected])
  },
)

test.for(operations.filter(({ path }) => !path.includes('{')))(
  '$name answers names and ids of another agent as unknown ones',
  async (operation) => {
    const expected = await send(operation, unknown())

    for (const name of [names.known, names.alias])
      for (const id of [ids['attribute'], ids['memory'], ids['batch']])
        expect(await send(operation, { id: String(id), name })).toEqual(expected)
  },
)

const changes = `rename_entity archive_entity merge_entities create_aspect rename_aspect
  archive_aspect add_claim_value set_claim_value supersede_claim_value archive_claim_value
  restore_claim_version create_policy create_link update_link archive_link attach_interface`
  .split(/\s+/)
  .map((name) => ({ name }))

test.for(changes)('$name of rows of another agent is one of unknown rows', async ({ name }) => {
  const operation = operations.find(({ path }) => path === '/api/ontology/operations/apply')
  if (!operation) throw new Error('The route is missing.')
  const change = (id: string, entity: string) => ({
    operation: name,
    payload: {
      ...slot,
      entity,
      target: entity,
      target_entity: entity,
      source_entity: entity,
      interface: entity,
      sources: [entity],
      new_name: 'New Name',
      value: 'here',
      old_value: 'gone',
      kind: 'attribute',
      content: 'here',
      attribute_id: id,
      dependency_id: id,
      link_type: 'uses',
      strength: 0.5,
    },
  })
  const other = randomUUID()
  const expected = await send(operation, unknown(), change(other, names.unknown))

  for (const entity of [names.known, names.alias])
    for (const kind of ['attribute', 'link']) {
      const id = String(ids[kind])
      const values = { id, name: entity }
      expect(await send(operation, values, change(id, entity))).toEqual(expected)
    }
})

/** A path of several ids needs different ones. */
const reads = operations.filter(
  ({ method, path }) => method === 'GET' && path.split('{').length === 2,
)

test.for(reads)('$name returns a row to its owner', async (operation) => {
  const statuses: number[] = []
  for (const id of Object.values(ids)) {
    const { query } = toRequest({ id, name: names.known })
    statuses.push((await service.ask(`${callOf(operation, id)}?${query}`)).status)
  }
  expect(statuses).toContain(200)
})

test('the graph of the owner is unchanged after all attempts', async () => {
  const path = `entity=${names.alias}&aspect=habits&group=general&claim=place`
  const evidence = await service.ask(`GET /api/ontology/claims/evidence?${path}`)
  expect(evidence.body['items']).toMatchObject([{}, {}])
  const proposal = await service.ask(`GET /api/ontology/proposals/${ids['pending']}`)
  expect(proposal.body).toMatchObject({ status: 'pending' })
  expect((await service.ask(`GET /api/ontology/links/${ids['link']}/evidence`)).status).toBe(200)
})
