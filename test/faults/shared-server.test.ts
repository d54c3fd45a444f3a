import { afterAll, expect, test, vi } from 'vitest'
import { startPostgres } from '../support/postgres-server.ts'
import { type Service, startService } from '../support/start-service.ts'

const pollOptions = { timeout: 30_000, interval: 100 }
const { url, stop } = await startPostgres()
const config = { auth: { mode: 'team' }, database: { url } }
// Sequential, because the in-memory server has one session, in which locks do not exclude.
const one = await startService({ engine: 'sqlite', config })
const other = await startService({ engine: 'sqlite', config })
const indexed = { ...config, search: { index: 'server' } }
const third = await startService({ engine: 'sqlite', config: indexed })
/** Two with an index in memory, one with its index on the server. */
const all = [one, other, third]
afterAll(async () => {
  await Promise.all(all.map((service) => service.stop()))
  await stop()
})

const remember = async (service: Service, body: object) =>
  (await service.ask('POST /api/memory/remember', { body })).body

test('a memory saved through one daemon is found by the others at once, until it is deleted', async () => {
  const { id } = await remember(one, { content: 'The quarry floods in spring' })

  expect((await other.ask(`GET /api/memory/${id}`)).body).toMatchObject({ version: 1 })
  const find = async (service: Service) => {
    const request = { body: { query: 'quarry' } }
    return (await service.ask('POST /api/memory/recall', request)).body['results']
  }
  for (const service of all) expect(await find(service)).toMatchObject([{ id }])

  expect((await other.ask(`DELETE /api/memory/${id}?reason=test`)).status).toBe(200)
  for (const service of all) expect(await find(service)).toEqual([])
  expect((await one.ask(`GET /api/memory/${id}`)).status).toBe(404)
})

test('eight concurrent saves with one key through both daemons make one memory', async () => {
  const body = { content: 'Said by many', idempotencyKey: 'key-1' }

  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, n) => remember(n % 2 ? one : other, body)),
  )

  expect(new Set(replies.map(({ id }) => id)).size).toBe(1)
  expect(replies.filter(({ deduped }) => deduped === false)).toHaveLength(1)
  for (const service of all)
    expect((await service.ask('GET /api/memories')).body['stats']).toMatchObject({ total: 1 })
})

test('two memories that supersede each other through both daemons at once make no cycle', async () => {
  for (let round = 0; round < 5; round += 1) {
    const save = async (side: string) =>
      String((await remember(one, { content: `The ${side} plan ${round}` }))['id'])
    const [left, right] = [await save('left'), await save('right')]
    const supersede = (service: Service, id: string, successor: string) =>
      service.ask(`POST /api/memories/${id}/supersede`, { body: { superseded_by: successor } })

    const replies = await Promise.all([supersede(one, left, right), supersede(other, right, left)])

    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
  }
})

test('eight concurrent extractions through both daemons propose each change once', async () => {
  const content = 'Corvane uses Fennel. The port of Corvane is 6380. Corvane depends on Fennel.'
  const { id } = await remember(one, { content })
  const body = { from: `memory:${id}`, write_proposals: true }

  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      (n % 2 ? one : other).ask('POST /api/ontology/extract', { body }),
    ),
  )

  const written = replies.map(({ body }) => Number(body['writtenCount']))
  expect(written.toSorted().slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 0])
  expect(Math.max(...written)).toBeGreaterThan(0)
})

test('four concurrent imports of a graph through both daemons write each item once', async () => {
  const { id } = await remember(one, { content: 'The Fennel gateway listens on 6381.' })
  const claim = { entity: 'Fennel', aspect: 'network', claim_key: 'port', value: '6381' }
  const evidence = [{ source_kind: 'memory', source_id: id, quote: 'listens on 6381' }]
  for (const [operation, payload] of [
    ['create_entity', { name: 'Fennel', entity_type: 'service' }],
    ['set_claim_value', claim],
  ] as const)
    await one.ask('POST /api/ontology/operations/apply', { body: { operation, payload, evidence } })
  const { items } = (await one.ask('GET /api/ontology/export')).body
  const { length } = items as readonly unknown[]

  const replies = await Promise.all(
    Array.from({ length: 4 }, (_, n) =>
      (n % 2 ? one : other).ask('POST /api/ontology/import', {
        body: { items },
        agent: 'importer',
      }),
    ),
  )

  const results = replies.map(({ body }) => body)
  expect(results.map(({ rejected }) => rejected)).toEqual([[], [], [], []])
  expect(results.reduce((sum, { created }) => sum + Number(created), 0)).toBe(length)
})

test('eight concurrent updates of one version through both daemons apply once', async () => {
  const { id } = await remember(one, { content: 'Changed by many' })
  const change = (n: number) =>
    (n % 2 ? one : other).ask(`PATCH /api/memory/${id}`, {
      body: { reason: 'test', if_version: 1, importance: n / 10 },
    })

  const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => change(n)))

  const statuses = replies.map(({ status }) => status).toSorted()
  expect(statuses).toEqual([200, ...Array(7).fill(409)])
  expect((await other.ask(`GET /api/memory/${id}/history`)).body).toMatchObject({ count: 2 })
})

test('a killed daemon finds after its restart what others stored meanwhile', async () => {
  const { id: before } = await remember(one, { content: 'The chapel stands on a hill' })
  await one.kill()
  const { id: meanwhile } = await remember(other, { content: 'The chapel bell is cracked' })
  await one.restart()

  await vi.waitFor(async () => {
    const { body } = await one.ask('POST /api/memory/recall', { body: { query: 'chapel' } })
    expect(body['meta']).not.toHaveProperty('partial')
    const results = body['results'] as { readonly id: string }[]
    expect(results.map(({ id }) => id).toSorted()).toEqual([before, meanwhile].toSorted())
  }, pollOptions)
})
