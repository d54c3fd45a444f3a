import { expect, test } from 'vitest'
import { startSharedService } from '../support/shared-service.ts'

const agent = 'picky'
const { ask: send } = await startSharedService(agent)
const ask = (call: string, body?: unknown) =>
  send(call, { agent, ...(body !== undefined && { body }) })
const apply = (operation: string, payload: object) =>
  ask('POST /api/ontology/operations/apply', { operation, payload })
const create = (name: string) => apply('create_entity', { name })
const read = (name: string) =>
  ask(`GET /api/knowledge/navigation/entity?name=${encodeURIComponent(name)}`)
const slot = { entity: 'Input One', aspect: 'tools', claim_key: 'editor' }

const ids: Record<string, string> = {}
for (const name of ['Input One', 'Input Two']) {
  const { result } = (await create(name)).body as { result: { entityId: string } }
  ids[name] = result.entityId
}
for (const value of ['vim', 'nano']) await apply('set_claim_value', { ...slot, value })
const nested = `${'[{"a":'.repeat(8000)}1${'}]'.repeat(8000)}`
const long = (length: number) => `Input ${'x'.repeat(length - 6)}`
const link = (source_entity: string, target_entity: string) =>
  apply('create_link', { source_entity, target_entity, link_type: 'uses' })

const one = `/api/ontology/entities/${ids['Input One']}`
const proposeMerge = (payload: object) =>
  ask('POST /api/ontology/proposals', { operation: 'merge_entities', payload })
const saved = await ask('POST /api/memory/remember', { content: 'Input One has a vim' })
const misquoted = { memory_id: saved.body['id'], quote: 'Input One has a nano' }
const proposal = { operation: 'create_entity', payload: { name: 'Input Many' } }

/** What is sent, its status, and a part of its error. */
const cases: Readonly<Record<string, readonly [() => ReturnType<typeof ask>, number, RegExp?]>> = {
  'a percent sign as a name': [() => read('%'), 404],
  'an underscore in a name': [() => read('Input_One'), 404],
  'a percent sign in a search': [() => ask('GET /api/knowledge/entities?q=Input%25One'), 200],
  'a percent sign in a path': [
    () => ask('GET /api/knowledge/navigation/claims?entity=Input+One&aspect=%25'),
    404,
  ],
  'NUL in a query': [() => ask('GET /api/knowledge/navigation/entity?name=Input%00One'), 404],
  'a name of 200 characters': [() => create(long(200)), 200],
  'a name of 201 characters': [() => create(long(201)), 400, /200/],
  'a key of 201 characters': [
    () => apply('add_claim_value', { ...slot, claim_key: 'k'.repeat(201), value: 'x' }),
    400,
  ],
  'a value of 8,001 characters': [
    () => apply('add_claim_value', { ...slot, value: 'x'.repeat(8001) }),
    400,
  ],
  'a name with an emoji': [() => create('Input 🚀 Rocket'), 200],
  'an emoji alone': [() => create('🚀'), 400],
  'a right-to-left mark in a known name': [() => read('Input\u200f One'), 200],
  'a name of right-to-left marks': [() => create('\u200f\u200f\u200f'), 400],
  'NUL in a name': [() => create('Input\u0000Nul'), 400],
  'NUL in a payload that waits': [
    () => ask('POST /api/ontology/proposals', { ...proposal, payload: { name: 'a\u0000b' } }),
    400,
  ],
  'a nested payload over 64 KiB': [
    () => ask('POST /api/ontology/proposals', `{"operation":"create_entity","payload":${nested}}`),
    400,
  ],
  'a payload over 64 KiB': [
    () => apply('create_entity', { name: 'Input Large', description: 'x'.repeat(66_000) }),
    400,
  ],
  'a name that is an object': [() => apply('create_entity', { name: { name: 'x' } }), 400],
  '501 proposals': [
    () => ask('POST /api/ontology/proposals/batch', { proposals: Array(501).fill(proposal) }),
    400,
  ],
  '101 operations': [
    () => ask('POST /api/ontology/operations/batch', { operations: Array(101).fill(proposal) }),
    400,
  ],
  '501 items to import': [
    () => ask('POST /api/ontology/import', { items: Array(501).fill({ type: 'entity' }) }),
    400,
  ],
  'an entity merged with itself': [
    () => ask(`POST ${one}/merge`, { source_ids: [ids['Input One']] }),
    400,
  ],
  'an entity merged with itself by name': [
    () => apply('merge_entities', { target: 'Input One', sources: ['input  ONE'] }),
    400,
  ],
  'a proposal to merge an entity with itself': [
    () => proposeMerge({ target: 'Input One', sources: ['Input Two', 'input  ONE'] }),
    400,
    /cannot be merged into itself/,
  ],
  'a proposal to merge an id with itself': [
    () => proposeMerge({ target_id: ids['Input One'], source_ids: [ids['Input One']] }),
    400,
    /cannot be merged into itself/,
  ],
  'a quote that its memory lacks': [
    () => ask('POST /api/ontology/operations/apply', { ...proposal, evidence: [misquoted] }),
    409,
    /Copy it exactly/,
  ],
  'a link to itself': [() => link('Input One', 'input one'), 400],
  'a link back': [() => link('Input One', 'Input Two'), 200],
  'a cycle of links': [() => link('Input Two', 'Input One'), 200],
  'an alias that is a name': [() => ask(`POST ${one}/aliases`, { alias: 'input two' }), 409],
  'an alias that is its own name': [() => ask(`POST ${one}/aliases`, { alias: 'INPUT ONE' }), 409],
  'a rename to a name': [
    () => apply('rename_entity', { entity: 'Input One', new_name: 'Input Two' }),
    409,
  ],
  'supersede of what is superseded': [
    () => apply('supersede_claim_value', { ...slot, old_value: 'vim', new_value: 'emacs' }),
    400,
  ],
}

test.for(Object.entries(cases))('%s is answered', async ([, [call, status, error]]) => {
  const reply = await call()

  expect([reply.status, reply.body]).toEqual([status, reply.body])
  if (error) expect(reply.body['error']).toMatch(error)
})

test('half a surrogate pair in a name or a value is stored, and undone', async () => {
  for (const [operation, payload] of [
    ['create_entity', { name: 'Input \ud800 Half', description: 'low \udc00' }],
    ['add_claim_value', { ...slot, value: 'half \ud83d' }],
  ] as const) {
    const { status, body } = await apply(operation, payload)
    expect(status).toBe(200)
    const undone = await ask(`POST /api/ontology/proposals/${body['id']}/undo`, {})
    expect([operation, undone.status, undone.body]).toEqual([operation, 200, undone.body])
  }
})

test('a cycle of links ends every walk', async () => {
  const walks = [
    ask('POST /api/knowledge/expand', { entity: 'Input One', max_hops: 9 }),
    ask('POST /api/memory/recall', { query: 'which editor does Input One use' }),
    ask('GET /api/knowledge/constellation'),
    ask('GET /api/knowledge/navigation/tree?entity=Input+One&depth=3'),
  ]
  expect((await Promise.all(walks)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('no name was taken literally as a pattern', async () => {
  const { body } = await ask('GET /api/knowledge/entities?q=Input%25One')
  expect(body['items']).toEqual([])
})
