import { afterAll, expect, test } from 'vitest'
import { createCookies } from '../support/browser-session.ts'
import { callOf, listOperations, type Operation } from '../support/operations.ts'
import { type Ask, startService } from '../support/start-service.ts'

const rateLimits = { forceDelete: { max: 1000 } }
const service = await startService({ config: { auth: { mode: 'team', rateLimits } } })
afterAll(() => service.stop())

// Every memory holds both words; queries name only the first, so the second is never an echo.
const topic = 'quillwort'
const secret = 'umbrage'
const outside = { agent: 'shy', scope: { agent: 'shy' } }
const cookieFor = createCookies(service)
/** The same caller with a cookie. */
const outsideInBrowser = async () => ({
  agent: outside.agent,
  role: 'anonymous' as const,
  headers: await cookieFor('operator', outside.scope),
})
const touching = ['recall', 'modify', 'forget', 'recover']

await service.ask('POST /api/agents', { body: { name: 'shy', read_policy: 'isolated' } })
const due = '2020-01-01T00:00:00Z'
const shared = await remember({
  content: `${topic} grows in ${secret}`,
  pinned: true,
  reviewAfter: due,
})
const own = await remember({ content: `${topic} shuns ${secret}`, visibility: 'private' })
const gone = await remember({ content: `${topic} left ${secret}` })
await service.ask(`DELETE /api/memory/${gone}?reason=test`)
const apart = 'hemlock'
const hidden = await remember({
  content: `${topic} hides in ${apart}`,
  pinned: true,
  reviewAfter: due,
  scope: 'alpha',
})
// Recalled memories are among the most used.
for (const scope of [undefined, 'alpha'])
  await service.ask('POST /api/memory/recall', { body: { query: topic, scope } })

/** Endless streams and dialogs of the desktop have tests of their own. */
const isStream = (name: string) => /\.(follow|pick-\w+) /.test(name)
const operations = (await listOperations(service)).filter(
  ({ name, permission }) => touching.includes(permission) && !isStream(name),
)
const byId = operations.filter(({ path }) => path.includes('{id}'))
const byQuestion = operations.filter(({ path }) => !path.includes('{'))

async function remember(body: Record<string, unknown>): Promise<string> {
  const hints = [`where ${topic} meets ${secret}`]
  const said = { ...body, structured: { hints }, sessionId: 'seed', tags: [topic] }
  const reply = await service.ask('POST /api/memory/remember', { body: said })
  expect(reply.status).toBe(200)
  return String(reply.body['id'])
}

/** Names a memory with all parameters that any operation needs; others are ignored. */
async function askFor(operation: Operation, id: string, as: Ask | undefined) {
  const body = {
    reason: 'a test',
    query: topic,
    limit: 10,
    mode: 'preview',
    ids: [id],
    pinned: false,
    importance: 0.1,
    confirm: true,
    key: 'a test',
    feedback: { [id]: 'wrong' },
    patches: [{ id, reason: 'a test', importance: 0.1 }],
    superseded_by: crypto.randomUUID(),
  }
  const query = new URLSearchParams({ reason: 'a test', q: topic, query: topic, id, limit: '10' })
  const call = `${callOf(operation, id)}?${query}`
  const { status, body: reply } = await service.ask(call, {
    ...as,
    ...(operation.method === 'GET' ? {} : { body }),
  })
  return { status, text: JSON.stringify(reply).replaceAll(id, '<id>') }
}

test('the seeded memories exist', () => {
  expect(byId.length).toBeGreaterThan(3)
})

test.for(byId)('$name treats the memory of another agent as missing', async (operation) => {
  const unknown = await askFor(operation, crypto.randomUUID(), outside)

  for (const id of [shared, own, gone, hidden])
    expect(await askFor(operation, id, outside)).toEqual(unknown)
  expect(await askFor(operation, shared, await outsideInBrowser())).toEqual(unknown)
  expect(unknown.status).toBeLessThan(500)
})

test.for(byQuestion)('$name returns no memories of another agent', async (operation) => {
  for (const caller of [outside, await outsideInBrowser()]) {
    const { status, text } = await askFor(operation, shared, caller)

    expect(text).not.toContain(secret)
    expect(status).toBeLessThan(500)
  }
})

const harmless = byQuestion.filter(
  ({ name, permission }) => permission === 'recall' || name.includes('forget-many'),
)

test.for(harmless)('$name returns no memories of a namespace to their owner', async (operation) => {
  const { status, text } = await askFor(operation, shared, undefined)

  expect(text).not.toContain(apart)
  expect(status).toBeLessThan(500)
})

const byIds = byQuestion.filter(({ name }) => /feedback|similar|update-many/.test(name))

test.for(byIds)('$name treats the memory of another agent as missing', async (operation) => {
  const unknown = await askFor(operation, crypto.randomUUID(), outside)

  for (const id of [shared, own, gone, hidden])
    expect(await askFor(operation, id, outside)).toEqual(unknown)
})

const projects = [{ project: 'elsewhere' }, { project: 'elsewhere', agent: 'ada' }]
const ofProjects = byId.flatMap((operation) =>
  projects.map((scope) => ({ operation, name: operation.name, scope })),
)

test.for(ofProjects)('$name is closed to the token $scope', async ({ operation, scope }) => {
  for (const id of [shared, own, hidden]) {
    const { status, text } = await askFor(operation, id, { agent: 'ada', scope })

    expect(text).not.toContain(secret)
    expect(text).not.toContain(apart)
    // The lineage of an unknown memory is empty.
    if (status === 200) expect(JSON.parse(text)).toMatchObject({ count: 0 })
    else expect([403, 404]).toContain(status)
  }
})

const questionsOfProjects = byQuestion.flatMap((operation) =>
  projects.map((scope) => ({ operation, name: operation.name, scope })),
)

test.for(questionsOfProjects)('$name returns nothing to the token $scope', async (request) => {
  const { operation, scope } = request
  const { status, text } = await askFor(operation, shared, { agent: 'ada', scope })

  expect(text).not.toContain(secret)
  expect(text).not.toContain(apart)
  expect(status).toBeLessThan(500)
})

test('all memories are unchanged after all attempts', async () => {
  for (const id of [shared, own, hidden])
    expect(await service.ask(`GET /api/memory/${id}`)).toMatchObject({
      status: 200,
      body: { version: 1 },
    })
})

const telling = ['memory.list', 'most-used', 'review-queue', 'recall.recall', 'recall.search']

test.for(telling)('the owner reads them by %s', async (name) => {
  const operation = byQuestion.find((known) => known.name.includes(name))
  const { text } = operation ? await askFor(operation, shared, undefined) : { text: '' }

  expect(text).toContain(secret)
})

test('the owner can read them', async () => {
  const reads = byId.filter(
    ({ method, path }) => method === 'GET' && path.startsWith('/api/memory'),
  )

  for (const operation of reads)
    expect((await askFor(operation, shared, undefined)).status).toBe(200)
})
