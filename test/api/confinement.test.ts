import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { callOf, listOperations } from '../support/operations.ts'
import { startSharedService } from '../support/shared-service.ts'

const service = await startSharedService()

const operations = await listOperations(service)
const scopes = [{ project: 'alpha' }, { agent: 'ada' }, { project: 'alpha', agent: 'ada' }]
const wording = /^scope restricted to (project 'alpha'|agent 'ada')$/

describe('operations that require an unscoped token', () => {
  const beyond = operations.filter((operation) => operation['x-requires-unscoped'])

  test('lists them', () => {
    expect(beyond.map(({ name }) => name.split(' ')[0])).toEqual([
      'agents.create',
      'agents.update',
      'memory.write-note',
      'sources.add-notes-vault',
      'sources.add-web',
      'sources.add-code-host',
      'sources.add-chat',
      'sources.add-wiki',
      'sources.pick-directory',
      'sources.pick-files',
      'telemetry.health',
      'connectors.create',
      'update.check',
      'update.config',
      'update.status',
      'diagnostics.logs',
      'diagnostics.logs.2',
      'diagnostics.follow-logs',
      'diagnostics.report',
      'diagnostics.workloads',
      'diagnostics.content-safety',
      'diagnostics.domain',
      'workspace.files',
      'harnesses.heartbeat',
      'settings.schema',
      'settings.read',
      'explorer.schema',
      'explorer.sample',
      'git.status',
      'git.config',
      'analytics.memory-safety',
      'analytics.metrics',
      'pipeline.status',
    ])
  })

  test.each(beyond)('$name refuses scoped tokens', async (operation) => {
    for (const scope of scopes)
      expect(await service.ask(callOf(operation, 'ada'), { scope })).toMatchObject({
        status: 403,
        body: { code: 'out_of_scope', error: expect.stringMatching(wording) },
      })
  })

  test('a scoped operator does not lift the read policy of its own agent', async () => {
    await service.ask('POST /api/agents', { body: { name: 'ada', read_policy: 'isolated' } })
    const wider = { read_policy: 'shared' }

    await service.ask('PATCH /api/agents/ada', { scope: { agent: 'ada' }, body: wider })

    expect((await service.ask('GET /api/agents/ada')).body['read_policy']).toBe('isolated')
  })
})

describe('operations that require a local caller', () => {
  const local = operations.filter((operation) => operation['x-requires-local'])

  test('lists them', () => {
    expect(local.map(({ name }) => name.split(' ')[0])).toEqual([
      'memory.write-note',
      'sources.add-notes-vault',
      'sources.pick-directory',
      'sources.pick-files',
      'connectors.create',
      'harnesses.connect',
      'harnesses.disconnect',
    ])
  })

  test.each(local)('$name refuses remote callers', async (operation) => {
    expect(await askFrom('127.0.0.2', callOf(operation))).toMatchObject({
      status: 403,
      body: { code: 'not_local' },
    })
    expect((await askFrom('127.0.0.1', callOf(operation))).status).not.toBe(403)
  })
})

describe('agents', () => {
  const namesFor = async (scope: object) => {
    const { body } = await service.ask('GET /api/agents', { scope, agent: 'bob' })
    return (body['agents'] as { name: string }[]).map(({ name }) => name)
  }

  test.each([
    ['its agent', 'first', { agent: 'first' }],
    ['its project', 'second', { project: 'alpha' }],
  ])('an agent first seen through a token of %s is isolated', async (_, agent, scope) => {
    const body = { content: `${agent} was here` }
    expect((await service.ask('POST /api/memory/remember', { agent, scope, body })).status).toBe(
      200,
    )

    expect((await service.ask(`GET /api/agents/${agent}`)).body['read_policy']).toBe('isolated')
  })

  test('an agent that starts a session with a scoped token is isolated', async () => {
    const body = { harness: 'mine', sessionKey: 'third-session', runtimePath: 'plugin' }
    const ask = { agent: 'third', scope: { agent: 'third' }, body }
    expect((await service.ask('POST /api/hooks/session-start', ask)).status).toBe(200)

    expect((await service.ask('GET /api/agents/third')).body['read_policy']).toBe('isolated')
  })

  test('a list shows only the agent of the token', async () => {
    for (const name of ['bob', 'cyd']) await service.ask('POST /api/agents', { body: { name } })

    expect(await namesFor({ agent: 'bob' })).toEqual(['bob'])
    expect(await namesFor({})).toEqual(expect.arrayContaining(['bob', 'cyd', 'default']))
    const scope = { agent: 'bob' }
    expect(await service.ask('GET /api/agents/cyd', { scope, agent: 'bob' })).toMatchObject({
      status: 403,
      body: { error: "scope restricted to agent 'bob'" },
    })
  })
})

/** Sends a request from the given local address. */
function askFrom(localAddress: string, call: string): Promise<{ status?: number; body: unknown }> {
  const [method, path = '/'] = call.split(' ')
  const headers = {
    authorization: `Bearer ${service.tokenFor('admin')}`,
    'content-type': 'application/json',
  }
  return new Promise((resolve, reject) => {
    request(new URL(path, service.url), { method, headers, localAddress }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () => {
        const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
        resolve({ status: reply.statusCode ?? 0, body })
      })
    })
      .once('error', reject)
      .end('{}')
  })
}
