import { afterAll, expect, test, vi } from 'vitest'
import { callOf, listOperations } from '../support/operations.ts'
import { startService } from '../support/start-service.ts'
import { callTool } from '../support/tools.ts'

const service = await startService()
afterAll(() => service.stop())

// Questions name the first word; the second is never an echo of them.
const asked = 'quillwort'
const secret = 'umbrage'
const created = '2024-03-01T12:00:00.000Z'

const remember = async (body: object) =>
  String((await service.ask('POST /api/memory/remember', { body })).body['id'])
const id = await remember({
  content: `${asked} grows in ${secret}`,
  ...{ createdAt: created, occurredAt: created, reviewAfter: created, tags: [asked, secret] },
  structured: { hints: [`where ${asked} meets ${secret}`] },
})
const other = await remember({ content: `${asked} is a fern` })

const reads = (await listOperations(service)).filter(
  ({ method, permission, path }) =>
    method === 'GET' && permission === 'recall' && !path.includes('{'),
)
const query = new URLSearchParams({ q: asked, query: asked, id, limit: '50', vectors: 'true' })
const questions: readonly object[] = [
  { query: asked },
  { query: secret },
  { query: `where ${asked} meets`, expand: true, explain: true },
  { query: 'x', keywordQuery: `${secret}*` },
  { query: asked, asOf: '2024-06-01T00:00:00Z' },
  { query: asked, tags: secret, minScore: 0 },
  { query: asked, sessionKey: 'agent:ada:one', includeRecalled: true },
  { query: asked, aggregate: true },
  { query: 'what did I do on 2024-03-01', time: { start: created, mode: 'timeline' } },
  { query: asked, time: { start: '2024-03-01T00:00:00Z', mode: 'filter' } },
]

const tools = {
  memory_search: { query: asked, session_key: 'agent:ada:two', include_recalled: true },
  memory_get: { id },
  memory_list: {},
}

async function isToldBy(operation: string, body?: object): Promise<boolean> {
  const reply = await service.ask(operation, body && { body })
  expect(reply.status).toBeLessThan(500)
  const { query: echo, ...rest } = reply.body
  const { meta, aggregate, ...told } = rest
  return JSON.stringify(told).includes(secret)
}

/** By which ways the memory can be learned of. */
async function listTelling(): Promise<string[]> {
  const ways = [
    ...reads.map((operation) => [`${callOf(operation)}?${query}`, undefined] as const),
    ...questions.map((body) => ['POST /api/memory/recall', body] as const),
    ['POST /api/memory/forget', { mode: 'preview', query: asked }] as const,
    [`GET /memory/search?q=${secret}`, undefined] as const,
    [`GET /memory/search?tags=${secret}`, undefined] as const,
  ]
  const telling: string[] = []
  for (const [operation, body] of ways)
    if (await isToldBy(operation, body)) telling.push(`${operation} ${JSON.stringify(body)}`)
  for (const [name, input] of Object.entries(tools)) {
    const told = await callTool(service, { name, arguments: input })
    if (told.includes(secret)) telling.push(name)
  }
  return telling
}

test('what is forgotten is told by no way that told it before', async () => {
  const feedback = { [id]: 'wrong' }
  await service.ask('POST /api/memory/feedback', { body: { key: 'one', feedback } })
  const projected = async () => (await service.ask('GET /api/embeddings/projection')).body
  await vi.waitFor(
    async () => expect(await projected()).toMatchObject({ status: 'cached', count: 2 }),
    { timeout: 30_000 },
  )
  const before = await listTelling()
  expect(before.join()).toContain('/api/embeddings/projection')
  expect(before.length).toBeGreaterThan(questions.length)
  expect(before).toEqual(expect.arrayContaining(Object.keys(tools)))

  await service.ask(`DELETE /api/memory/${id}?reason=test`)

  expect(await listTelling()).toEqual([])
  expect(await service.ask(`GET /api/memory/${id}`)).toMatchObject({ status: 404 })
  expect(await service.ask(`GET /memory/similar?id=${id}`)).toMatchObject({ status: 404 })
  const found = await service.ask('POST /api/memory/recall', { body: { query: asked } })
  expect(found.body['results']).toMatchObject([{ id: other }])
})

test('and it is told again once it is recovered', async () => {
  await service.ask(`POST /api/memory/${id}/recover?reason=test`)

  expect((await listTelling()).length).toBeGreaterThan(questions.length)
})
