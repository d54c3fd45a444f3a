import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startSharedService } from '../support/shared-service.ts'
import { type Ask, startService } from '../support/start-service.ts'

const service = await startSharedService()

const reason = 'a test'
const asAda = { role: 'agent', agent: 'ada', scope: { agent: 'ada' } } as const
const saved = async (content: string, more: object = {}, ask: Ask = {}) => {
  const body = { content, ...more }
  return String((await service.ask('POST /api/memory/remember', { body, ...ask })).body['id'])
}
const savedMany = (count: number, tag: string) =>
  Promise.all(Array.from({ length: count }, (_, n) => saved(`${tag} ${n}`, { tags: [tag] })))
const record = async (id: string) =>
  (await service.ask(`GET /api/memory/${id}?include_deleted=1`)).body

describe('batch forget', () => {
  const forget = (body: unknown, ask: Ask = {}) =>
    service.ask('POST /api/memory/forget', { body, ...ask })
  const tokenOf = (ids: readonly string[]) =>
    createHash('sha256').update(ids.toSorted().join('|')).digest('hex').slice(0, 32)

  test('works: a preview writes nothing and lists pinned and important memories first', async () => {
    const plain = await saved('the plain one', { tags: 'preview', importance: 0.2 })
    const weighty = await saved('the weighty one', { tags: 'preview', importance: 0.9 })
    const pinned = await saved('the pinned one', { tags: 'preview', pinned: true })

    const { status, body } = await forget({ tags: 'preview' })

    expect(status).toBe(200)
    expect(body).toEqual({
      mode: 'preview',
      count: 3,
      requiresConfirm: false,
      confirmToken: tokenOf([plain, weighty, pinned]),
      candidates: [pinned, weighty, plain].map((id) => ({
        id,
        score: 0,
        version: 1,
        pinned: id === pinned,
      })),
    })
    expect(await record(plain)).toMatchObject({ is_deleted: 0, version: 1 })
  })

  test('works: by a query, with scores', async () => {
    const id = await saved('the marmalade is on the shelf')

    const { body } = await forget({ query: 'marmalade' })

    expect(body).toMatchObject({ count: 1, candidates: [{ id, score: expect.any(Number) }] })
    expect((await forget({ query: '"marmalade (' })).status).toBe(200)
  })

  test('works: by operators; invalid syntax is searched as plain text', async () => {
    const [loud, path, cafe] = [
      await saved('run cargo with -verbose, always'),
      await saved('see kiosk/recall/engine.ts for cargo'),
      await saved('the Café at the kiosk'),
    ]
    const idsFor = async (query: string) => {
      const { candidates } = (await forget({ query })).body
      return (candidates as readonly { id: string }[]).map(({ id }) => id).toSorted()
    }

    expect(await idsFor('-verbose')).toEqual([loud])
    expect(await idsFor('cargo NOT verbose')).toEqual([path])
    expect(await idsFor('kiosk AND (engine OR cafe)')).toEqual([path, cafe].toSorted())
    expect(await idsFor('verbos*')).toEqual([loud])
  })

  test('works: a refusal does not stop the others', async () => {
    const [one, pinned] = [await saved('goes'), await saved('critical: stays')]
    const request = { mode: 'execute', ids: [one, pinned, 'missing', one], reason }

    const { status, body } = await forget(request)

    expect(status).toBe(200)
    expect(body).toMatchObject({ mode: 'execute', requested: 2, deleted: 1 })
    expect(body['results']).toEqual(
      expect.arrayContaining([
        { id: one, status: 'deleted', currentVersion: 1, newVersion: 2 },
        { id: pinned, status: 'pinned_requires_force', currentVersion: 1 },
      ]),
    )
    expect((await forget({ ...request, force: true })).body).toMatchObject({ deleted: 1 })
    const { history } = (await service.ask(`GET /api/memory/${one}/history`)).body
    expect(history).toMatchObject([{ event: 'created' }, { event: 'deleted', reason }])
  })

  test('works: more than 25 need the token of a preview', async () => {
    const ids = await savedMany(26, 'crowd')
    const request = { tags: 'crowd', limit: 200, reason, mode: 'execute' }
    const { body: preview } = await forget({ ...request, mode: 'preview' })
    expect(preview).toMatchObject({ count: 26, requiresConfirm: true })

    const missing = await forget(request)
    expect(missing).toMatchObject({
      status: 400,
      body: { code: 'confirmation_required', requiresConfirm: true, count: 26 },
    })
    expect(missing.body['confirmToken']).toBe(preview['confirmToken'])
    const confirmed = { ...request, confirm_token: preview['confirmToken'] }
    expect((await forget({ ...request, confirm_token: '0'.repeat(32) })).status).toBe(400)

    ids.push(await saved('one more of the crowd', { tags: 'crowd' }))
    expect((await forget(confirmed)).status, 'the crowd has grown').toBe(400)

    const { body: grown } = await forget({ ...request, mode: 'preview' })
    const { body } = await forget({ ...request, confirm_token: grown['confirmToken'] })
    expect(body).toMatchObject({ requested: 27, deleted: 27 })
    expect((await forget(confirmed)).body).toMatchObject({ requested: 0, deleted: 0 })
  })

  test('works: applies the limit; 25 need no token', async () => {
    await savedMany(26, 'bounded')
    const request = { tags: 'bounded', mode: 'execute', reason }

    expect((await forget(request)).body).toMatchObject({ requested: 20, deleted: 20 })
    expect((await forget({ ...request, limit: 25 })).body).toMatchObject({ requested: 6 })
  })

  test.each([
    [{}, 'is required'],
    [{ mode: 'execute', reason }, 'is required'],
    [{ ids: [], query: ' ' }, 'is required'],
    [{ mode: 'drop', ids: ['x'] }, 'mode must be preview or execute'],
    [{ mode: 'execute', ids: ['x'] }, 'reason is required'],
    [{ ids: ['x'], if_version: 1 }, 'if_version is not allowed'],
    [{ tags: 'x', since: 'then' }, 'since must be a valid ISO timestamp'],
    [{ tags: 'x', limit: 1.5 }, 'limit must be an integer'],
  ])('refuses %j', async (body, error) => {
    const reply = await forget(body)

    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect(reply.body['error']).toContain(error)
  })

  test('refuses more calls than its bucket holds', async () => {
    const usual = await startService({ engine: 'sqlite', config: { auth: { mode: 'team' } } })
    const ask = () => usual.ask('POST /api/memory/forget', { body: { tags: 'x' } })

    for (let call = 0; call < 5; call++) expect((await ask()).status).toBe(200)
    expect(await ask()).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    await usual.stop()
  })

  test('who may: an agent deletes only its own and cannot force', async () => {
    await service.ask('POST /api/agents', { body: { name: 'ada', read_policy: 'shared' } })
    const others = await saved('saved by grace', { tags: 'whose' }, { agent: 'grace' })
    const pinned = await saved('critical: saved by ada', { tags: 'whose' })
    const request = { tags: 'whose', mode: 'execute', reason, force: true }

    const { body } = await forget({ ...request, ids: [others, pinned] }, asAda)

    expect(body).toMatchObject({ requested: 2, deleted: 0 })
    expect(body['results']).toEqual(
      expect.arrayContaining([
        { id: others, status: 'forbidden' },
        { id: pinned, status: 'autonomous_force_denied', currentVersion: 1 },
      ]),
    )
    expect((await forget(request, { role: 'readonly' })).status).toBe(403)
  })

  test('who may: a project token deletes only in its project', async () => {
    const outside = await saved('in the yard', { project: 'yard' })
    const request = { ids: [outside], mode: 'execute', reason }

    const { body } = await forget(request, { scope: { project: 'garden' } })

    expect(body).toMatchObject({ deleted: 0 })
    expect(await record(outside)).toMatchObject({ is_deleted: 0 })
  })
})

describe('batch update', () => {
  const modify = (body: unknown, ask: Ask = {}) =>
    service.ask('POST /api/memory/modify', { body, ...ask })

  test('works: applies each patch independently, in order', async () => {
    const [first, second] = [await saved('first patched'), await saved('second patched')]
    const patches = [
      { id: first, importance: 0.2 },
      { id: first, importance: 0.3, if_version: 2, reason: 'its own' },
      { id: second, importance: 0.3, if_version: 7 },
      { id: second, pinned: false },
      { id: second, content: 'other words' },
      { id: 'missing', pinned: true },
      { id: second },
      { pinned: true },
      'pinned',
    ]

    const { status, body } = await modify({ reason, patches })

    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 9, updated: 2 })
    expect(body['results']).toMatchObject([
      { id: first, status: 'updated', currentVersion: 1, newVersion: 2, contentChanged: false },
      { id: first, status: 'updated', currentVersion: 2, newVersion: 3 },
      { id: second, status: 'version_conflict', currentVersion: 1 },
      { id: second, status: 'no_changes', currentVersion: 1 },
      { id: second, status: 'episodic_content_immutable' },
      { id: 'missing', status: 'not_found' },
      { id: second, status: 'invalid_request', error: expect.stringContaining('at least one of') },
      { id: '', status: 'invalid_request', error: 'Patch id is required' },
      { id: '', status: 'invalid_request', error: 'Each patch must be an object' },
    ])
    const { history } = (await service.ask(`GET /api/memory/${first}/history`)).body
    expect(history).toMatchObject([{ event: 'created' }, { reason }, { reason: 'its own' }])
  })

  test('works: applies no patch without a reason', async () => {
    const id = await saved('no reason')

    const { body } = await modify({ patches: [{ id, pinned: true }] })

    expect(body).toMatchObject({ updated: 0, results: [{ id, error: 'reason is required' }] })
    expect(await record(id)).toMatchObject({ pinned: 0, version: 1 })
  })

  test.each([
    [{}, 'patches must be a non-empty array'],
    [{ patches: [] }, 'patches must be a non-empty array'],
    [{ patches: {} }, 'patches must be a non-empty array'],
    [{ patches: Array(201).fill({}) }, 'patches must hold at most 200'],
  ])('refuses %#', async (body, error) => {
    expect(await modify({ reason, ...body })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', error },
    })
  })

  test('who may: checks the owner for each patch', async () => {
    await service.ask('POST /api/agents', { body: { name: 'ada', read_policy: 'shared' } })
    const own = await saved('patched by ada', { project: 'garden' })
    const others = await saved('not hers to patch', {}, { agent: 'grace' })
    const elsewhere = await saved('of another project', { project: 'yard' })
    const patches = [own, others, elsewhere].map((id) => ({ id, importance: 0.1 }))

    const confined = { ...asAda, scope: { agent: 'ada', project: 'garden' } }
    const { body } = await modify({ reason, patches }, confined)

    expect(body['results']).toMatchObject([
      { id: own, status: 'updated' },
      { id: others, status: 'forbidden' },
      { id: elsewhere, status: 'forbidden' },
    ])
    expect((await modify({ reason, patches }, { role: 'readonly' })).status).toBe(403)
  })
})
