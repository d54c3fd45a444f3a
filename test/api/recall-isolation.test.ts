import { randomUUID } from 'node:crypto'
import { afterAll, expect, test, vi } from 'vitest'
import { type Ask, startService } from '../support/start-service.ts'
import { callTool, listTools } from '../support/tools.ts'

const service = await startService()
afterAll(() => service.stop())

// Queries name only the first word, so the second is never an echo.
const topic = 'quillwort'
const secret = 'umbrage'
const apart = 'hemlock'
const at = '2024-03-01T12:00:00.000Z'
const owner = { agent: 'ada' }
const unknown = 'an unknown agent'
const outsiders: Readonly<Record<string, Ask>> = {
  'an isolated agent': { agent: 'shy' },
  'an isolated agent in the session of another': {
    agent: 'shy',
    headers: { 'x-svc-session-key': 'walk' },
  },
  'an agent of another group': { agent: 'clubby' },
  [unknown]: { agent: 'stranger' },
  'a token of another project': { ...owner, scope: { project: 'elsewhere' } },
}

await service.ask('POST /api/agents', { body: { name: 'shy', read_policy: 'isolated' } })
const club = { name: 'clubby', read_policy: 'group', policy_group: 'club' }
await service.ask('POST /api/agents', { body: club })
const { body: remembered } = await service.ask('POST /api/memory/remember', {
  ...owner,
  body: {
    content: `${topic} grows in ${secret}`,
    reviewAfter: at,
    occurredAt: at,
    createdAt: at,
    tags: [topic],
    sessionKey: 'walk',
    structured: { hints: [`where ${topic} is`] },
    // A session as old as this would start without it.
    pinned: true,
    transcript: `User: where is ${topic}?\nAssistant: in ${secret}, as ever`,
  },
})
const id = String(remembered['id'])
await service.ask('POST /api/ontology/operations/apply', {
  ...owner,
  body: {
    operation: 'set_claim_value',
    payload: { entity: topic, aspect: 'places', claim_key: topic, value: `in ${secret}` },
    evidence: [{ memory_id: id, quote: `grows in ${secret}` }],
  },
})
const { body: neighbour } = await service.ask('POST /api/memory/remember', {
  ...owner,
  body: { content: `${topic} is a fern` },
})
const inNamespace = { scope: 'world:alpha', tags: [topic], sessionKey: 'walk', pinned: true }
await service.ask('POST /api/memory/remember', {
  ...owner,
  body: {
    content: `${topic} hides in ${apart}`,
    reviewAfter: at,
    occurredAt: at,
    ...inNamespace,
    structured: { hints: [`where ${topic} hides`] },
  },
})
// Recalled memories are among the most used, and in the black box of their session.
await service.ask('POST /api/memory/recall', {
  ...owner,
  body: { query: topic, sessionKey: 'walk' },
})
const asking = { ...owner, body: { query: topic, scope: 'world:alpha' } }
await service.ask('POST /api/memory/recall', asking)
const summary = `We found ${topic} in ${secret}.`
await service.ask('POST /api/hooks/compaction-complete', {
  ...owner,
  body: { harness: 'mine', sessionKey: 'walk', summary, runtimePath: 'plugin', agentId: 'ada' },
})
const time = { start: '2020-01-01T00:00:00Z', end: '2200-01-01T00:00:00Z' }
const sessionKey = 'walk'
const recalls: readonly object[] = [
  { query: topic },
  { query: topic, expand: true, explain: true },
  { query: topic, minScore: 0, limit: 50 },
  { query: 'x', keywordQuery: `${topic}*` },
  { query: topic, tags: topic },
  { query: topic, asOf: '2024-06-01T00:00:00Z' },
  { query: topic, within: 'session', sessionKey, includeRecalled: true },
  { query: topic, sessionKey, includeRecalled: true },
  { query: topic, aggregate: true },
  { query: 'what did I do', time },
  { query: topic, time: { ...time, mode: 'filter' } },
  { query: 'what did I do on 2024-03-01' },
]

const projection = 'GET /api/embeddings/projection'
const pollOptions = { timeout: 30_000 }
const laid = async () => (await service.ask(projection, owner)).body
await vi.waitFor(
  async () => expect(await laid()).toMatchObject({ status: 'cached', count: 4 }),
  pollOptions,
)
const used = async () => (await service.ask('GET /api/memories/most-used', owner)).body
await vi.waitFor(async () => expect(JSON.stringify(await used())).toContain(secret), pollOptions)

const query = new URLSearchParams({ q: topic, query: topic, id, limit: '50', vectors: 'true' })
const reads = [
  '/api/memory/search',
  '/memory/search',
  '/api/memories/most-used',
  '/api/memories',
  '/api/memory/review-queue',
  `/api/memory/${id}`,
  '/api/embeddings',
  '/api/embeddings/projection',
  '/api/sessions/summaries',
  '/api/sessions/walk/transcript',
]
/** Arguments of a tool: all that any tool takes and that lead to the memory. */
const inputs: Readonly<Record<string, object>> = {
  memory_search: { query: topic, time, include_recalled: true, session_key: sessionKey },
  session_search: { query: topic, session_key: sessionKey },
  memory_get: { id },
  memory_list: { limit: 100 },
  memory_modify: { id, reason: 'a test', importance: 0.1 },
  memory_forget: { id, reason: 'a test' },
  knowledge_entities: { query: topic },
  knowledge_entity: { name: topic },
  knowledge_tree: { entity: topic },
  knowledge_claims: { entity: topic, aspect: 'places', claim: topic },
  knowledge_evidence: { entity: topic, aspect: 'places', claim: topic },
  knowledge_hygiene_report: {},
}

type Way = readonly [name: string, ask: (as: Ask) => Promise<string>]
const post = (path: string, body: object): Way => [
  `${path} ${JSON.stringify(body)}`,
  async (as) => {
    const reply = await service.ask(`POST ${path}`, { ...as, body })
    const { query: _, ...rest } = reply.body
    return JSON.stringify(rest)
  },
]
/** A session receives an item once. */
const beginning: Way = [
  '/api/hooks/session-start',
  async (as) => {
    const body = { harness: 'mine', sessionKey: randomUUID() }
    return JSON.stringify(
      (await service.ask('POST /api/hooks/session-start', { ...as, body })).body,
    )
  },
]
const similar = `/memory/similar?id=${neighbour['id']}`
const telling: readonly Way[] = [
  ...recalls.map((body) => post('/api/memory/recall', body)),
  post('/api/hooks/recall', { harness: 'mine', query: topic }),
  post('/api/sessions/search', { query: topic }),
  beginning,
  ['/memory/similar', async (as) => JSON.stringify((await service.ask(`GET ${similar}`, as)).body)],
  ...reads.map(
    (path): Way => [
      path,
      async (as) => JSON.stringify((await service.ask(`GET ${path}?${query}`, as)).body),
    ],
  ),
]
const tools = await listTools(service)
const calling = Object.entries(inputs).map(
  ([name, input]): Way => [
    `the tool ${name}`,
    (as) => callTool(service, { name, arguments: input }, as),
  ],
)

/** They add, or return no memories. */
const others = [
  'agent_message_ack',
  'agent_message_inbox',
  'agent_message_send',
  'agent_peers',
  'document_add',
  'document_list',
  // Pages have tests of their own.
  'knowledge_page',
  'memory_store',
  'ontology_propose',
  'secret_exec',
  'secret_exec_status',
  'secret_list',
  'source_list',
]

test('calls every tool that returns memories or the graph', () => {
  expect(tools.toSorted()).toEqual([...Object.keys(inputs), ...others].toSorted())
})

test.each(telling)('the owner reads them with %s', async (_name, ask) => {
  expect(await ask(owner)).toContain(secret)
})

const get = (path: string): Way => [
  path,
  async (as) => JSON.stringify((await service.ask(`GET ${path}`, as)).body),
]
/** These return ids without contents. */
const naming: readonly Way[] = [
  post('/api/memory/forget', { mode: 'preview', query: topic }),
  get('/api/sessions/walk/blackbox'),
]

test.each(naming)('the owner reads the id with %s', async (_name, ask) => {
  expect(await ask(owner)).toContain(id)
})

const ofGraph = calling.filter(([name]) => /_(?:tree|claims|evidence)$/.test(name))

test.each(ofGraph)('the owner reads the claim with %s', async (_name, ask) => {
  expect(await ask(owner)).toContain(secret)
})

const timeline = async (as: Ask) =>
  Number((await service.ask('GET /api/memory/timeline', as)).body['totalMemories'])

test('the timeline reports them to the owner only', async () => {
  expect(await timeline(owner)).toBeGreaterThan(0)
  for (const as of Object.values(outsiders)) expect(await timeline(as)).toBe(0)
})

const question = `where does ${topic} grow and hide?`
const ofHooks = [
  post('/api/hooks/user-prompt-submit', {
    harness: 'mine',
    sessionKey: 'run',
    userMessage: question,
  }),
  post('/api/hooks/pre-compaction', { harness: 'mine', sessionKey: 'run' }),
  post('/api/hooks/synthesis', { harness: 'mine' }),
]
/** A registered agent may read global memories. */
const makingKnown = [beginning, ...ofHooks]
const unnamed = [...telling, ...naming, ...calling, ...ofHooks].filter(
  ([name]) => !/modify|memory_forget/.test(name),
)

test.each(unnamed)('%s without a namespace returns none of its memories', async (_name, ask) => {
  const reply = await ask(owner)

  expect(reply).not.toContain(apart)
  expect(reply).not.toContain('"error"')
})

test('naming a namespace returns its memories only', async () => {
  const [, recallAs] = post('/api/memory/recall', asking.body)

  expect(await recallAs(owner)).toContain(apart)
  expect(await recallAs(owner)).not.toContain(secret)
})

const all = Object.entries(outsiders).flatMap(([who, as]) =>
  [...telling, ...calling, ...ofHooks]
    .filter((way) => who !== unknown || !makingKnown.includes(way))
    .map(([name, ask]) => ({ who, name, as, ask })),
)

test.each(all)('$name returns nothing to $who', async ({ as, ask }) => {
  expect(await ask(as)).not.toContain(secret)
})

const allNaming = Object.entries(outsiders).flatMap(([who, as]) =>
  naming.map(([name, ask]) => ({ who, name, as, ask })),
)

test.each(allNaming)('$name returns no id to $who', async ({ as, ask }) => {
  expect(await ask(as)).not.toContain(id)
})

test('the memory is unchanged after all attempts', async () => {
  expect(await service.ask(`GET /api/memory/${id}`, owner)).toMatchObject({
    body: { version: 1, is_deleted: 0 },
  })
})
