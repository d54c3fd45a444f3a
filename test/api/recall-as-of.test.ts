import { expect, test } from 'vitest'
import { startSharedService } from '../support/shared-service.ts'

const service = await startSharedService('otto')

const save = async (content: string, more: object = {}) =>
  (await service.ask('POST /api/memory/remember', { body: { content, ...more } })).body['id']
const recall = (body: unknown) => service.ask('POST /api/memory/recall', { body })
const ids = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) =>
  (body['results'] as { readonly id: string }[]).map(({ id }) => id)

test('asOf returns memories current at that time, with explain reasons', async () => {
  const first = await save('The mast is oak', { createdAt: '2024-01-01T00:00:00Z' })
  const next = await save('The mast is steel', { supersedes: first })
  const request = { query: 'mast', explain: true }

  expect(ids(await recall(request))).toEqual([next])
  const then = await recall({ ...request, asOf: '2024-06-01T00:00:00Z' })
  expect(ids(then)).toEqual([first])
  expect(then.body).toMatchObject({ meta: { asOf: '2024-06-01T00:00:00.000Z' } })
  expect(then.body['results']).toMatchObject([
    {
      explain: { stages: expect.arrayContaining([expect.objectContaining({ name: 'recency' })]) },
    },
  ])
  expect(ids(await service.ask('GET /api/memory/search?q=mast&asOf=2024-06-01'))).toEqual([first])
})

test('a memory with only valid_until is valid from its creation until then', async () => {
  const holding = await save('The ferry runs hourly', { validUntil: '2999-01-01' })
  const over = { createdAt: '2024-01-01', validUntil: '2024-06-01' }
  const past = await save('The ferry ran daily', over)
  const on = async (asOf: string) => ids(await recall({ query: 'ferry', asOf }))

  expect(await on(new Date(Date.now() + 60_000).toISOString())).toEqual([holding])
  expect(await on('2024-03-01')).toEqual([past])
  expect(await on('2024-07-01')).toEqual([])
})
