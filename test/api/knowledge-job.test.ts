import { expect, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { startSharedService } from '../support/shared-service.ts'

const service = await startSharedService('keeper')
const { ask } = service
const { hook, newKey } = hooksOf(service)
const project = '/home/keeper/skerry-light'
const lamp = 'Skerry Light'
const alias = 'the old tower'
const parts = 'lens shutter clockwork gallery foghorn cistern dynamo hoist radio boathouse'.split(
  ' ',
)

/** Twenty sentences: what a part is made of, and what it needs. */
const sentences = parts.flatMap((part, at) => {
  const name = `Skerry ${part}`
  const made = { entityName: name, entityType: 'system', aspect: 'make' }
  const value = `the ${part} is of brass number ${at}`
  const attributes = [{ claimKey: 'material', content: value, importance: 0.8 }]
  const joined = { source: lamp, sourceType: 'project', relationship: 'uses', target: name }
  const upkeep = [{ claimKey: part, content: `oil the ${part} in month ${at}` }]
  const cared = { entityName: lamp, entityType: 'project', aspect: 'upkeep', attributes: upkeep }
  return [
    {
      content: `The ${part} of the light is of brass, cast ${at}.`,
      aspects: [{ ...made, attributes }],
    },
    {
      content: `Oil the ${part} in month ${at}.`,
      aspects: [cared],
      entities: [{ ...joined, targetType: 'system' }],
    },
  ]
})

const memoryIds: string[] = []

async function post(path: string, body: object = {}, agent = 'keeper') {
  const reply = await ask(`POST ${path}`, { body, agent })
  expect([path, reply.status, reply.body['error']]).toEqual([path, expect.any(Number), undefined])
  return reply.body
}

async function read(path: string, agent = 'keeper') {
  return (await ask(`GET ${path}`, { agent })).body
}

/** The rows of the graph with their citations, without ids and times. */
async function exportGraph(agent = 'keeper') {
  const items: Record<string, unknown>[] = []
  for (let cursor = ''; ; ) {
    const page = await read(`/api/ontology/export?limit=500${cursor}`, agent)
    items.push(...(page['items'] as Record<string, unknown>[]))
    if (typeof page['next'] !== 'string') return items
    cursor = `&cursor=${encodeURIComponent(page['next'])}`
  }
}

const toLines = (items: readonly object[]) => items.map((item) => JSON.stringify(item)).toSorted()

const start = async (agentId = 'keeper') =>
  (await hook('session-start', { agentId, project, sessionKey: newKey() })).body
const prompt = async (userMessage: string, agentId = 'keeper') =>
  (await hook('user-prompt-submit', { agentId, project, sessionKey: newKey(), userMessage })).body
const recall = async (query: string, agent = 'keeper') =>
  post('/api/memory/recall', { query, limit: 10 }, agent)
const count = async (path: string) => {
  const { items = [], entities = items } = (await read(path)) as Record<string, unknown[]>
  return entities?.length
}

test('twenty sentences become proposals, and conflicts are shown before they are applied', async () => {
  for (const { content, ...structured } of sentences) {
    const body = { content, project, structured: { entities: [], ...structured } }
    memoryIds.push(String((await post('/api/memory/remember', body))['id']))
  }
  expect(await count('/api/knowledge/navigation/entities')).toBe(0)
  for (const id of memoryIds)
    await post('/api/ontology/extract', { from: `memory:${id}`, write_proposals: true })
  const rival = { entity: `Skerry lens`, aspect: 'make', claim_key: 'material', value: 'of glass' }
  const extra = await post('/api/ontology/proposals', {
    operation: 'add_claim_value',
    payload: rival,
  })
  const conflicts = await read('/api/ontology/proposals/conflicts')
  expect(conflicts).toMatchObject({
    items: [{ entity: 'Skerry lens', claimKey: 'material', count: 2 }],
  })
  await post(`/api/ontology/proposals/${extra['id']}/reject`, { reason: 'it is brass' })

  const pending = await read('/api/ontology/proposals?status=pending&limit=500')
  const items = pending['items'] as { id: string; operation: string; evidence: object[] }[]
  expect(items.every(({ evidence }) => evidence.length > 0)).toBe(true)
  const order = ['create_entity', 'create_link', 'add_claim_value']
  for (const operation of order)
    for (const one of items.filter((item) => item.operation === operation))
      await post(`/api/ontology/proposals/${one.id}/apply`)
  expect(await count('/api/knowledge/navigation/entities')).toBe(parts.length + 1)
  const path = 'entity=skerry+lens&aspect=make&group=general&claim=material'
  expect(await read(`/api/ontology/claims/evidence?${path}`)).toMatchObject({
    items: [
      {
        attribute: { content: 'the lens is of brass number 0' },
        evidence: [
          {
            sourceKind: 'memory',
            sourceId: memoryIds[0],
            quote: expect.stringMatching(/brass number 0/),
          },
        ],
      },
    ],
  })
}, 120_000)

test('an alias finds it, in recall, in a prompt and at the start of a session', async () => {
  const { items } = (await read(
    `/api/knowledge/navigation/entities?q=${encodeURIComponent(lamp)}`,
  )) as {
    items: { entity: { id: string } }[]
  }
  const [{ entity } = { entity: { id: '' } }] = items
  await post(`/api/ontology/entities/${entity.id}/aliases`, { alias })
  await expect
    .poll(async () => (await recall(`what care does ${alias} need?`))['entities'])
    .toMatchObject([{ name: lamp }])
  expect(await prompt(`what does ${alias} need for foghorn care?`)).toMatchObject({
    engine: 'entity-context',
    dynamicContext: expect.stringContaining('oil the foghorn'),
  })
  expect(await prompt('who feeds the gulls of another island?')).toMatchObject({
    engine: 'no-entity',
  })
  expect(JSON.stringify(await start())).toContain('foghorn')
})

test('a correction and a merge are undone', async () => {
  const before = toLines(await exportGraph())
  const slot = { entity: 'Skerry hoist', aspect: 'make', claim_key: 'material' }
  const apply = (operation: string, payload: object) =>
    post('/api/ontology/operations/apply', { operation, payload })
  const corrected = await apply('set_claim_value', { ...slot, value: 'the hoist is of oak' })
  expect(
    JSON.stringify(await read('/api/knowledge/navigation/tree?entity=Skerry+hoist&depth=3')),
  ).toContain('of oak')
  await post(`/api/ontology/proposals/${corrected['id']}/undo`)
  expect(toLines(await exportGraph())).toEqual(before)

  const merged = await apply('merge_entities', {
    target: 'Skerry hoist',
    sources: ['Skerry radio'],
  })
  expect(await count('/api/knowledge/navigation/entities')).toBe(parts.length)
  expect(toLines(await exportGraph())).not.toEqual(before)
  await post(`/api/ontology/proposals/${merged['id']}/undo`)
  expect(toLines(await exportGraph())).toEqual(before)
})

/** What each surface shows of the graph; every claim and name contains one word. */
async function listShowing() {
  const surfaces: Record<string, () => Promise<unknown>> = {
    entities: () => read('/api/knowledge/navigation/entities'),
    alias: () => read(`/api/knowledge/navigation/entity?name=${encodeURIComponent(alias)}`),
    tree: () => read('/api/knowledge/navigation/tree?entity=Skerry+Light&depth=3'),
    aspects: () => read('/api/knowledge/navigation/aspects?entity=Skerry+Light'),
    overlay: () => read('/api/knowledge/constellation'),
    hygiene: () => read('/api/knowledge/hygiene'),
    export: () => read('/api/ontology/export'),
    proposals: () => read('/api/ontology/proposals?status=applied'),
    recall: async () => {
      const results = (await recall('the foghorn of the light is of brass'))['results'] as {
        type: string
      }[]
      return results.filter(({ type }) => type !== 'transcript')
    },
    entity: async () => (await recall(`the care of ${alias}`))['entities'],
    prompt: async () =>
      (await prompt(`what does ${alias} need for foghorn care?`))['dynamicContext'],
    start: () => start(),
  }
  const showing: string[] = []
  for (const [name, ask] of Object.entries(surfaces)) {
    const text = JSON.stringify(await ask()) ?? ''
    if (/brass|foghorn|Skerry/.test(text)) showing.push(name)
  }
  return showing
}

test('forgotten evidence leaves nothing on any surface, and recovery restores it all', async () => {
  const before = toLines(await exportGraph())
  await expect
    .poll(listShowing, { timeout: 30_000 })
    .toEqual(
      expect.arrayContaining([
        'entities',
        'alias',
        'tree',
        'overlay',
        'export',
        'recall',
        'entity',
        'prompt',
        'start',
      ]),
    )
  const showing = await listShowing()
  for (const id of memoryIds)
    expect((await ask(`DELETE /api/memory/${id}?reason=test&force=true`)).status).toBe(200)
  expect(await listShowing()).toEqual([])
  for (const id of memoryIds) await post(`/api/memory/${id}/recover`, { reason: 'test' })
  await expect.poll(listShowing, { timeout: 30_000 }).toEqual(showing)
  expect(toLines(await exportGraph())).toEqual(before)
}, 120_000)

test('the graph is exported and imported into another agent', async () => {
  await ask('POST /api/agents', { body: { name: 'heir', read_policy: 'isolated' } })
  const items = await exportGraph()
  const imported = await post('/api/ontology/import', { items }, 'heir')
  expect(imported).toMatchObject({ existing: 0, rejected: [] })
  expect(await post('/api/ontology/import', { items }, 'heir')).toMatchObject({ created: 0 })
  const bare = (all: readonly Record<string, unknown>[]) =>
    toLines(all.map(({ citations: _, asserted_at: __, created_at: ___, ...item }) => item))
  expect(bare(await exportGraph('heir'))).toEqual(bare(items))
  expect(await prompt(`what does ${alias} need for foghorn care?`, 'heir')).toMatchObject({
    engine: 'entity-context',
  })
})
