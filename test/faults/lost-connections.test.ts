import { expect, onTestFinished, test, vi } from 'vitest'
import { forEachOf } from '../support/load.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { startService } from '../support/start-service.ts'

const pollOptions = { timeout: 30_000, interval: 100 }

test('a server that closes all connections loses no acknowledged write', async () => {
  const { url, cutOff, stop } = await startPostgres()
  onTestFinished(stop)
  const config = { auth: { mode: 'team' }, database: { url } }
  const service = await startService({ engine: 'sqlite', config })
  onTestFinished(() => service.stop())
  const savedIds = new Map<number, string>()

  const statuses = new Set<number>()
  const numbers = Array.from({ length: 120 }, (_, number) => number)
  await forEachOf(numbers, async (number) => {
    if (number % 30 === 29) await cutOff()
    const content = `quarry${number} floods in spring`
    const reply = await service.ask('POST /api/memory/remember', { body: { content } })
    statuses.add(reply.status)
    if (reply.status === 200) savedIds.set(number, String(reply.body['id']))
  })

  expect([200, 503]).toEqual(expect.arrayContaining([...statuses]))
  expect(savedIds.size).toBeGreaterThan(60)
  for (const [number, id] of [...savedIds].filter((_, at) => at % 8 === 0))
    await vi.waitFor(async () => {
      const request = { body: { query: `quarry${number}`, limit: 1 } }
      const { body } = await service.ask('POST /api/memory/recall', request)
      expect(body['results']).toMatchObject([{ id }])
      expect(body['meta']).not.toHaveProperty('partial', true)
    }, pollOptions)
})
