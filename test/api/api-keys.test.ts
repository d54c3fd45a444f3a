import { describe, expect, onTestFinished, test } from 'vitest'
import { listPlacesHolding } from '../support/list-places-holding.ts'
import { startSharedService } from '../support/shared-service.ts'
import { startService } from '../support/start-service.ts'

const service = await startSharedService()

const create = (body: object = {}, headers = {}) =>
  service.ask('POST /api/auth/api-keys', {
    role: 'admin',
    body: { name: 'laptop', ...body },
    headers,
  })
const bearer = (key: unknown, headers: Record<string, string> = {}) => ({
  role: 'anonymous' as const,
  headers: { authorization: `Bearer ${key}`, ...headers },
})
const revoke = (id: unknown) => service.ask(`DELETE /api/auth/api-keys/${id}`, { role: 'admin' })
const unknownKey = {
  status: 401,
  body: { code: 'unauthenticated', error: 'the API key is unknown, revoked or expired' },
}

describe('an API key', () => {
  test('works: it acts with its role until it is revoked, at once', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    const { key, id, ...row } = body
    expect(row).toMatchObject({ name: 'laptop', role: 'agent', scope: {}, revokedAt: null })
    expect(String(key).startsWith(`${row['prefix']}_`)).toBe(true)

    const list = () => service.ask('GET /api/memories', bearer(key))
    expect((await list()).status).toBe(200)
    expect((await service.ask('GET /api/auth/whoami', bearer(key))).body).toMatchObject({
      authenticated: true,
      claims: { name: 'laptop', role: 'agent', key: id },
      effectiveAccess: 'agent',
    })
    expect((await service.ask('GET /api/auth/api-keys', bearer(key))).status).toBe(403)
    const first = await revoke(id)
    expect(first).toMatchObject({ status: 200, body: { id, revokedAt: expect.any(String) } })
    expect(await list()).toMatchObject(unknownKey)
    expect((await revoke(id)).body).toEqual(first.body)
  })

  test('is in one reply only', async () => {
    const { key, id, ...row } = (await create()).body
    const secret = String(key).slice(String(row['prefix']).length + 1)
    await service.ask('GET /api/memories', bearer(key))

    const list = await service.ask('GET /api/auth/api-keys', { role: 'admin' })
    const one = await service.ask(`GET /api/auth/api-keys/${id}`, { role: 'admin' })
    expect(Object(list.body)['keys']).toContainEqual(
      expect.objectContaining({ id, ...row, lastUsedAt: expect.anything() }),
    )
    expect(one.body).toMatchObject({ id, name: 'laptop' })
    expect(JSON.stringify([list.body, one.body])).not.toContain(secret)
    expect(JSON.stringify([list.body, one.body])).not.toContain('digest')
    expect(await listPlacesHolding(service, [secret.toLowerCase()])).toEqual([])
  })

  test('is limited to its agent and its projects', async () => {
    const body = { agentId: 'ada', allowedProjects: ['garden', 'shed'] }
    const { key } = (await create(body)).body
    const recall = (headers: Record<string, string>) =>
      service.ask('GET /api/memories', bearer(key, headers))

    expect((await recall({ 'x-svc-project': 'shed' })).status).toBe(200)
    expect(await recall({})).toMatchObject({ status: 403, body: { code: 'project_required' } })
    const attic = await recall({ 'x-svc-project': 'attic' })
    expect(attic).toMatchObject({ status: 403, body: { code: 'out_of_scope' } })
    const bob = await recall({ 'x-svc-project': 'shed', 'x-svc-agent-id': 'bob' })
    expect(bob).toMatchObject({ status: 403, body: { code: 'out_of_scope' } })
  })

  test('cannot create more than its maker has', async () => {
    const maker = (await create({ role: 'admin', permissions: ['admin', 'recall'] })).body
    const by = (operation: string, body: object) =>
      service.ask(operation, { ...bearer(maker['key']), body })
    const exceeds = { status: 403, body: { code: 'grant_exceeds_maker' } }

    for (const role of ['admin', 'agent']) {
      expect(await by('POST /api/auth/api-keys', { name: 'more', role })).toMatchObject(exceeds)
      expect(await by('POST /api/auth/token', { role })).toMatchObject(exceeds)
    }
    const less = await by('POST /api/auth/api-keys', { name: 'less', role: 'readonly' })
    expect(less).toMatchObject({ status: 201, body: { role: 'readonly' } })
  })

  test('takes its tokens and sessions with it when it is revoked', async () => {
    const { key, id } = (await create({ role: 'admin' })).body
    const as = { ...bearer(key), body: {} }
    const session = (await service.ask('POST /api/auth/session', as)).body['token']
    const issued = await service.ask('POST /api/auth/token', { ...as, body: { role: 'agent' } })
    const { code } = (await service.ask('POST /api/auth/handoff', as)).body
    const tokens = [session, issued.body['token']]
    for (const token of tokens)
      expect((await service.ask('GET /api/memories', bearer(token))).status).toBe(200)

    await revoke(id)

    for (const token of tokens)
      expect(await service.ask('GET /api/memories', bearer(token))).toMatchObject(unknownKey)
    const redeem = { role: 'anonymous' as const, body: { code } }
    expect((await service.ask('POST /api/auth/handoff/redeem', redeem)).status).toBe(401)
  })

  test('ends its open streams when it is revoked', async () => {
    const { key, id } = (await create({ role: 'operator' })).body
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${service.url}/api/events`, { headers })
    expect(response.status).toBe(200)
    const reader = response.body?.getReader()
    const ended = (async () => {
      for (;;) {
        const next = await reader?.read()
        if (next?.done ?? true) return 'ended'
      }
    })()

    await revoke(id)

    expect(await ended).toBe('ended')
  })

  test('survives a restart, and so does its revocation', async () => {
    const own = await startService()
    onTestFinished(() => own.stop())
    const made = async () =>
      (await own.ask('POST /api/auth/api-keys', { role: 'admin', body: { name: 'one' } })).body
    const [live, revoked] = [await made(), await made()]
    await own.ask(`DELETE /api/auth/api-keys/${revoked['id']}`, { role: 'admin' })

    await own.kill()
    await own.restart()

    expect((await own.ask('GET /api/memories', bearer(live['key']))).status).toBe(200)
    expect(await own.ask('GET /api/memories', bearer(revoked['key']))).toMatchObject(unknownKey)
  })

  test('is revoked with its agent', async () => {
    await service.ask('POST /api/agents', { role: 'admin', body: { name: 'wren' } })
    const { key } = (await create({ agentId: 'wren' })).body
    expect((await service.ask('GET /api/memories', { ...bearer(key), agent: 'wren' })).status).toBe(
      200,
    )

    await service.ask('DELETE /api/agents/wren', { role: 'admin' })

    expect(await service.ask('GET /api/memories', { ...bearer(key), agent: 'wren' })).toMatchObject(
      unknownKey,
    )
  })

  test.each([
    [{ name: '' }, 'name is required'],
    [{ name: 'x'.repeat(129) }, 'name exceeds 128 characters'],
    [{ role: 'king' }, 'role must be one of'],
    [{ scope: { user: 'ada' } }, 'scope.user is not known'],
    [{ project: 'garden' }, 'project is not known'],
    [{ permissions: ['admin'] }, "role 'agent' has no permission 'admin'"],
    [{ permissions: [] }, 'permissions must name at least one'],
    [{ allowedProjects: [] }, 'allowedProjects must name at least one'],
    [{ allowedProjects: 'garden' }, 'allowedProjects must be a list'],
    [{ agentId: '../ada' }, 'agent_id must be 1 to 64 letters'],
    [{ agentId: 'ada', scope: { agent: 'bob' } }, 'agentId does not contain it'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt must be a time'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'is not in the future'],
    [{ connector: `ghp_${'aB3dE5fG7h'.repeat(4)}` }, 'must not contain a credential'],
  ])('is refused for %j', async (body, error) => {
    const reply = await create(body)

    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(reply.body['error']).toContain(error)
  })

  test('is unknown by another id', async () => {
    const missing = { status: 404, body: { code: 'api_key_not_found' } }

    expect(await revoke('none')).toMatchObject(missing)
    expect(await service.ask('GET /api/auth/api-keys/none', { role: 'admin' })).toMatchObject(
      missing,
    )
  })
})
