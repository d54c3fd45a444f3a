import { randomUUID } from 'node:crypto'
import { afterAll, expect, test, vi } from 'vitest'
import { callOf, listOperations } from '../support/operations.ts'
import { startService } from '../support/start-service.ts'
import { callTool } from '../support/tools.ts'

const service = await startService()
afterAll(() => service.stop())

// Queries name the first word; the second is never an echo.
const topic = 'quillwort'
const secret = 'umbrage'
const created = '2024-03-01T12:00:00.000Z'

const remember = async (body: object) =>
  String((await service.ask('POST /api/memory/remember', { body })).body['id'])
const id = await remember({
  content: `${topic} grows in ${secret}`,
  createdAt: created,
  occurredAt: created,
  reviewAfter: created,
  tags: [topic, secret],
  pinned: true,
  structured: { hints: [`where ${topic} meets ${secret}`] },
})
const other = await remember({ content: `${topic} is a fern` })

// A claim and two proposals of the graph whose only evidence is the memory.
const evidence = [{ memory_id: id, quote: `${topic} grows in ${secret}` }]
const slot = { entity: `${topic} of ${secret}`, aspect: 'habitat', claim_key: 'place' }
const propose = async (payload: object, { operation = 'add_claim_value', to = 'proposals' } = {}) =>
  service.ask(`POST /api/ontology/${to}`, { body: { operation, payload, evidence } })
const operation = 'create_entity'
await propose({ name: slot.entity }, { operation, to: 'operations/apply' })
await propose({ ...slot, value: `in ${secret}` }, { to: 'operations/apply' })
await service.ask('POST /api/ontology/assertions', {
  body: { entity: slot.entity, content: `${topic} is in ${secret}`, evidence },
})
for (const value of ['wood', 'moor']) await propose({ ...slot, value: `${value} of ${secret}` })

/** These operations return no memory: agents, counts, settings, and lists that are empty here. */
const silent = [
  '/api/agents',
  '/api/checkpoints',
  '/api/cross-agent/messages',
  '/api/cross-agent/presence',
  '/api/embeddings/health',
  '/api/embeddings/models',
  '/api/embeddings/status',
  '/api/cross-agent/stream',
  '/api/dream/pages',
  '/api/events',
  '/api/features',
  '/api/harnesses',
  '/api/hooks/synthesis/config',
  '/api/identity',
  '/api/knowledge/entities/pinned',
  '/api/knowledge/hygiene',
  '/api/knowledge/stats',
  '/api/memory/timeline',
  '/api/ontology/contradictions',
  '/api/sessions',
  '/api/sessions/blackbox',
  '/api/skills',
  '/api/skills/search',
  '/api/sessions/summaries',
  '/api/sources',
  '/api/synthesis/status',
  '/api/tasks',
  '/memory/similar',
]
const reads = (await listOperations(service)).filter(
  ({ method, permission, path }) =>
    method === 'GET' && permission === 'recall' && !path.includes('{') && !silent.includes(path),
)
const query = new URLSearchParams({
  q: topic,
  query: topic,
  id,
  limit: '50',
  vectors: 'true',
  name: topic,
  entity: topic,
  aspect: slot.aspect,
  group: 'general',
  claim: slot.claim_key,
})
const questions: readonly object[] = [
  { query: topic },
  { query: secret },
  { query: `where ${topic} meets`, expand: true, explain: true },
  { query: 'x', keywordQuery: `${secret}*` },
  { query: topic, asOf: '2024-06-01T00:00:00Z' },
  { query: topic, tags: secret, minScore: 0 },
  { query: topic, sessionKey: 'agent:ada:one', includeRecalled: true },
  { query: topic, aggregate: true },
  { query: 'what did I do on 2024-03-01', time: { start: created, mode: 'timeline' } },
  { query: topic, time: { start: '2024-03-01T00:00:00Z', mode: 'filter' } },
]

const tools = {
  memory_search: { query: topic, session_key: 'agent:ada:two', include_recalled: true },
  memory_get: { id },
  memory_list: {},
}

const hook = { harness: 'mine', runtimePath: 'plugin', agentId: 'ada' }
type Way = readonly [operation: string, body?: () => object]
const ways: readonly Way[] = [
  ...reads.map((operation): Way => [`${callOf(operation)}?${query}`]),
  ...questions.map((body): Way => ['POST /api/memory/recall', () => body]),
  ...[`q=${secret}`, `tags=${secret}`].map((asking): Way => [`GET /memory/search?${asking}`]),
  [`GET /memory/similar?id=${other}`],
  ['POST /api/memory/forget', () => ({ mode: 'preview', query: topic })],
  // A session receives an item once.
  ['POST /api/hooks/session-start', () => ({ ...hook, sessionKey: randomUUID() })],
  ['POST /api/hooks/recall', () => ({ ...hook, query: topic })],
]
const names = [...ways.map(([operation], at) => `${at} ${operation}`), ...Object.keys(tools)]

async function isToldBy([operation, body]: Way): Promise<boolean> {
  const reply = await service.ask(operation, body && { body: body() })
  expect(reply.status).toBeLessThan(500)
  const { query: echo, ...fields } = reply.body
  const { meta, aggregate, ...rest } = fields
  const text = JSON.stringify(rest)
  return text.includes(secret) || text.includes(id)
}

/** All operations that return the memory. */
async function listTelling(): Promise<string[]> {
  const telling: string[] = []
  for (const [at, way] of ways.entries()) if (await isToldBy(way)) telling.push(`${at} ${way[0]}`)
  for (const [name, input] of Object.entries(tools)) {
    const reply = await callTool(service, { name, arguments: input })
    if (reply.includes(secret)) telling.push(name)
  }
  return telling
}

test('no operation that returned a memory returns it after deletion', async () => {
  const feedback = { [id]: 'wrong' }
  await service.ask('POST /api/memory/feedback', { body: { key: 'one', feedback } })
  await service.ask('POST /api/memory/recall', { body: { query: topic } })
  const used = async () => (await service.ask('GET /api/memories/most-used')).body
  await vi.waitFor(async () => expect(JSON.stringify(await used())).toContain(secret))
  const projected = async () => (await service.ask('GET /api/embeddings/projection')).body
  await vi.waitFor(
    async () => expect(await projected()).toMatchObject({ status: 'cached', count: 3 }),
    { timeout: 30_000 },
  )
  expect(await listTelling()).toEqual(names)

  await service.ask(`DELETE /api/memory/${id}?reason=test&force=true`)

  expect(await listTelling()).toEqual([])
  expect(await service.ask(`GET /api/memory/${id}`)).toMatchObject({ status: 404 })
  expect(await service.ask(`GET /memory/similar?id=${id}`)).toMatchObject({ status: 404 })
  const found = await service.ask('POST /api/memory/recall', { body: { query: topic } })
  expect(found.body['results']).toMatchObject([{ id: other }])
})

test('all of them return it after recovery', async () => {
  await service.ask(`POST /api/memory/${id}/recover?reason=test`)

  await vi.waitFor(async () => expect(await listTelling()).toEqual(names), { timeout: 30_000 })
})
