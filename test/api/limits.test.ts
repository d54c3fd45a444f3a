import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const few = { max: 2 }
const rateLimits = { forceDelete: few, recallLlm: few }
const service = await startService({ config: { auth: { mode: 'team', rateLimits } } })
afterAll(() => service.stop())

const limited = { status: 429, body: { code: 'rate_limited' } }
const saved = async (content: string) =>
  (await service.ask('POST /api/memory/remember', { body: { content, pinned: true } })).body['id']

test('a tombstone is a deletion by force, and counted with the others', async () => {
  const [one, two, three] = [await saved('one'), await saved('two'), await saved('three')]
  const bury = (id: unknown) => service.ask(`POST /api/memories/${id}/tombstone`)
  const force = (id: unknown) => service.ask(`DELETE /api/memory/${id}?reason=test&force=true`)

  expect((await bury(one)).status).toBe(200)
  expect((await force(two)).status).toBe(200)
  expect(await bury(three)).toMatchObject(limited)
  expect(await force(three)).toMatchObject(limited)
  expect((await service.ask(`GET /api/memory/${three}`)).status).toBe(200)
})

test('answers put together are counted, plain ones are not', async () => {
  const recall = (aggregate: boolean) =>
    service.ask('POST /api/memory/recall', { body: { query: 'one', aggregate } })

  expect((await recall(true)).status).toBe(200)
  expect((await recall(true)).status).toBe(200)
  expect(await recall(true)).toMatchObject(limited)
  expect((await recall(false)).status).toBe(200)
})
