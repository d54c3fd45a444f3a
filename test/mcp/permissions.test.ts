import { afterAll, expect, onTestFinished, test } from 'vitest'
import { type As, clients } from '../support/mcp-client.ts'
import { startService } from '../support/start-service.ts'
import { idOf } from '../support/tools.ts'

const rateLimits = { forget: { max: 1 } }
const service = await startService({
  engine: 'sqlite',
  config: { auth: { mode: 'team', rateLimits } },
})
afterAll(() => service.stop())

async function connect(as: As) {
  const client = await clients['newest over HTTP'](service, as)
  onTestFinished(() => client.close())
  return client
}

test('a tool requires the permission of its route', async () => {
  const reader = await connect({ token: service.tokenFor('readonly') })

  expect(await reader.call('memory_search', { query: 'x' })).toMatchObject({ isError: false })
  expect(await reader.call('memory_store', { content: 'x' })).toMatchObject({
    isError: true,
    text: "role 'readonly' lacks 'remember' permission (permission_missing)",
  })
})

test('a tool call counts against the rate limit of its route', async () => {
  const client = await connect({})
  const forget = () => client.call('memory_forget', { id: 'none', reason: 'a test' })

  expect((await forget()).text).not.toContain('rate limit')
  expect((await forget()).text).toBe('rate limit exceeded (rate_limited)')
})

test('refuses a token of another agent', async () => {
  const token = service.tokenFor('agent', { agent: 'bob' })

  await expect(connect({ token, agent: 'ada' })).rejects.toThrow('403')
})

test('an isolated agent sees its own memories, and no other agent sees them', async () => {
  for (const name of ['shy', 'coy'])
    await service.ask('POST /api/agents', { body: { name, read_policy: 'isolated' } })
  const [shy, coy] = [await connect({ agent: 'shy' }), await connect({ agent: 'coy' })]
  const { text } = await shy.call('memory_store', { content: 'the key is under the quince' })
  const id = idOf(text)

  expect((await shy.call('memory_search', { query: 'quince' })).text).toContain(id)
  expect((await coy.call('memory_search', { query: 'quince' })).text).not.toContain('quince (')
  expect(await coy.call('memory_get', { id })).toMatchObject({ isError: true })
  expect(await coy.call('memory_forget', { id, reason: 'envy' })).toMatchObject({ isError: true })
  expect((await coy.call('memory_list')).text).not.toContain(id)
  expect(await shy.call('memory_get', { id })).toMatchObject({ isError: false })
})

test('a session with bypassed hooks keeps its tools', async () => {
  const session = { harness: 'mine', sessionKey: 'quiet', runtimePath: 'plugin', agentId: 'eve' }
  await service.ask('POST /api/hooks/session-start', { body: session })
  const headers = { 'x-svc-agent-id': 'eve' }
  const bypass = { headers, body: { enabled: true } }
  expect((await service.ask('POST /api/sessions/quiet/bypass', bypass)).body).toMatchObject({
    bypassed: true,
  })
  const client = await connect({ agent: 'eve' })

  const stored = await client.call('memory_store', { content: 'tea at four', session_key: 'quiet' })
  const found = await client.call('memory_search', { query: 'tea', session_key: 'quiet' })

  expect(found.text).toContain(idOf(stored.text))
})

test('a stored memory records its author and agent', async () => {
  const client = await connect({ agent: 'eve' })
  const { text } = await client.call('memory_store', { content: 'eve was here' })

  const { body } = await service.ask(`GET /api/memory/${idOf(text)}/history`, {
    agent: 'eve',
  })
  expect(body).toMatchObject({ history: [{ event: 'created', changedBy: 'tester' }] })
})
