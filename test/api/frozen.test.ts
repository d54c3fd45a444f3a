import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { callOf, listOperations } from '../support/operations.ts'
import { startService } from '../support/start-service.ts'

const service = await startService()
afterAll(() => service.stop())

const id = await remember('saved before the freeze')
const settings = join(service.workspace, 'agent.yaml')
await appendFile(settings, 'memory: { pipelineV2: { mutationsFrozen: true } }\n')
await service.restart()

const writing = ['remember', 'modify', 'forget', 'recover']
const operations = (await listOperations(service)).filter(({ name }) => name.startsWith('memory.'))
/** Whether a batch deletion depends on the request. */
const writes = operations.filter(
  ({ permission, path }) => writing.includes(permission) && path !== '/api/memory/forget',
)
const frozen = { status: 503, body: { code: 'mutations_frozen' } }

async function remember(content: string): Promise<string> {
  const reply = await service.ask('POST /api/memory/remember', { body: { content } })
  return String(reply.body['id'])
}

test('some operations can be frozen', () => {
  expect(writes.map(({ name }) => name).join()).toMatch(/remember.*update.*forget.*recover/)
})

test.for(writes)('$name is refused while frozen, before its input is checked', async (write) => {
  const call = callOf(write, id)

  expect(await service.ask(call, { body: {} })).toMatchObject(frozen)
  expect(await service.ask(call, { body: '{' })).toMatchObject(frozen)
})

test.for(writes)('$name hides the freeze from callers without permission', async (write) => {
  const call = callOf(write, id)

  expect((await service.ask(call, { role: 'anonymous', body: {} })).status).toBe(401)
  expect((await service.ask(call, { role: 'readonly', body: {} })).status).toBe(403)
})

test('a preview of a deletion works, the deletion does not', async () => {
  const forget = (body: object) =>
    service.ask('POST /api/memory/forget', { body: { ids: [id], reason: 'a test', ...body } })

  expect(await forget({ mode: 'preview' })).toMatchObject({ status: 200, body: { count: 1 } })
  expect(await forget({ mode: 'execute' })).toMatchObject(frozen)
  // The missing reason would be refused if it were checked.
  expect(await forget({ mode: 'execute', reason: 7, ids: 'x' })).toMatchObject(frozen)
  expect((await forget({ mode: 'sometime' })).status).toBe(400)
})

test('an aggregate can be computed but not saved', async () => {
  const recall = (body: object) =>
    service.ask('POST /api/memory/recall', { body: { query: 'frost', ...body } })

  expect((await recall({})).body['results']).toMatchObject([{ id }])
  expect(await recall({ aggregate: true, saveAggregate: true })).toMatchObject(frozen)
  expect(await recall({ query: undefined, saveAggregate: true })).toMatchObject(frozen)
  expect(await recall({ save_aggregate: 1, limit: 1.5 })).toMatchObject(frozen)
  expect((await recall({ saveAggregate: 'perhaps', limit: 1.5 })).status).toBe(400)
  const reading = { body: { saveAggregate: true }, role: 'readonly' } as const
  expect((await service.ask('POST /api/memory/recall', reading)).status).toBe(403)
})

test('after all attempts every memory is unchanged', async () => {
  expect((await service.ask(`GET /api/memory/${id}`)).body).toMatchObject({ version: 1 })
  expect((await service.ask('GET /api/memories')).body['stats']).toMatchObject({ total: 1 })
  expect((await service.ask(`GET /api/memory/${id}/history`)).body).toMatchObject({ count: 1 })
})
