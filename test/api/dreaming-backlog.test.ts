import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const service = await startService({
  config: { memory: { dreaming: { enabled: true, tickMs: 3_600_000 } } },
})
afterAll(() => service.stop())
const ask = async (operation: string, body?: unknown, agent?: string) => {
  const sent = {
    role: 'admin',
    ...(body !== undefined && { body }),
    ...(agent && { agent }),
  } as const
  const { status, body: reply } = await service.ask(operation, sent)
  expect(status).toBeLessThan(300)
  return reply
}

const remember = async (content: string, more: object = {}, agent?: string) =>
  String((await ask('POST /api/memory/remember', { content, ...more }, agent))['id'])

const backlog = async (agent?: string) => {
  const reply = await ask('GET /api/dream/status', undefined, agent)
  const { sources, oldestAt } = Object(reply['backlog'])
  return { tokens: Number(reply['episodicTokensPending']), sources, oldestAt }
}

async function dream(agent?: string) {
  const { passId } = await ask('POST /api/dream/trigger', {}, agent)
  const read = async () =>
    Object((await ask(`GET /api/dream/passes/${passId}`, undefined, agent))['pass']).status
  await expect.poll(read, { timeout: 20_000 }).toBe('completed')
}

const none = { tokens: 0, sources: 0, oldestAt: null }

test('the backlog is right after each change of the memories, and after a restart', async () => {
  expect(await backlog()).toEqual(none)
  const id = await remember('The heron stands in the reeds.')
  const now = await backlog()
  expect(now).toMatchObject({ tokens: 8, sources: 1 })
  const createdAt = '2020-01-02T03:04:05.000Z'
  const old = await remember('The ibis was seen twice.', { createdAt })
  const both = { tokens: 14, sources: 2, oldestAt: createdAt }
  expect(await backlog()).toEqual(both)
  await service.restart()
  expect(await backlog()).toEqual(both)

  await ask(`DELETE /api/memory/${old}?reason=test`)
  expect(await backlog()).toEqual(now)
  await ask(`POST /api/memory/${old}/recover`, { reason: 'a test' })
  expect(await backlog()).toEqual(both)
  await dream()
  expect(await backlog()).toEqual(none)

  await ask(`DELETE /api/memory/${id}?reason=test`)
  expect(await backlog()).toEqual(none)
  await ask(`POST /api/memory/${id}/recover`, { reason: 'a test' })
  expect(await backlog()).toEqual(now)
  await remember('A note for a namespace.', { scope: 'shed' })
  expect(await backlog()).toEqual(now)
})

test('the backlog of a deleted agent is empty', async () => {
  for (const [agent, path] of [
    ['wren', 'wren'],
    ['finch', 'finch?purge=true'],
  ] as const) {
    await ask('POST /api/agents', { name: agent, read_policy: 'isolated' })
    await remember('The wren sings at dawn.', {}, agent)
    await dream(agent)
    await remember('The wren sings at dusk.', {}, agent)
    expect(await backlog(agent)).toMatchObject({ sources: 1 })
    await ask(`DELETE /api/agents/${path}`)
    expect(await backlog(agent)).toEqual(none)
  }
})
