import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const few = { max: 2 }
const rateLimits = { forceDelete: few, recallLlm: few }
const service = await startService({ config: { auth: { mode: 'team', rateLimits } } })
afterAll(() => service.stop())

const limited = { status: 429, body: { code: 'rate_limited' } }
const saved = async (content: string) =>
  (await service.ask('POST /api/memory/remember', { body: { content, pinned: true } })).body['id']

test('a tombstone counts as a forced deletion', async () => {
  const [one, two, three] = [await saved('one'), await saved('two'), await saved('three')]
  const tombstone = (id: unknown) => service.ask(`POST /api/memories/${id}/tombstone`)
  const force = (id: unknown) => service.ask(`DELETE /api/memory/${id}?reason=test&force=true`)

  expect((await tombstone(one)).status).toBe(200)
  expect((await force(two)).status).toBe(200)
  expect(await tombstone(three)).toMatchObject(limited)
  expect(await force(three)).toMatchObject(limited)
  expect((await service.ask(`GET /api/memory/${three}`)).status).toBe(200)
})

test('aggregates count against the limit, plain recalls do not', async () => {
  const recall = (path: string, aggregate: boolean) =>
    service.ask(`POST ${path}`, { body: { harness: 'codex', query: 'one', aggregate } })
  const [api, hook] = ['/api/memory/recall', '/api/hooks/recall']

  expect((await recall(api, true)).status).toBe(200)
  expect((await recall(hook, true)).status).toBe(200)
  for (const path of [api, hook]) {
    const { status, body, headers } = await recall(path, true)
    expect({ status, body }).toMatchObject(limited)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(body['retryAfter']).toEqual(expect.any(Number))
    expect((await recall(path, false)).status).toBe(200)
  }
})
