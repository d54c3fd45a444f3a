import { describe, expect, test } from 'vitest'
import { startSharedService } from '../support/shared-service.ts'
import type { Ask } from '../support/start-service.ts'

const service = await startSharedService('sven')

const reason = 'a test'
const asOwner = { role: 'agent', agent: 'sven', scope: { agent: 'sven' } } as const
const asGrace = { role: 'agent', agent: 'grace', scope: { agent: 'grace' } } as const
await service.ask('POST /api/agents', { body: { name: 'grace', read_policy: 'shared' } })

const saved = async (content: string, more: object = {}, ask: Ask = {}) => {
  const body = { content, ...more }
  return String((await service.ask('POST /api/memory/remember', { body, ...ask })).body['id'])
}
const read = (id: string, ask: Ask = {}) => service.ask(`GET /api/memory/${id}`, ask)
const forget = (id: string) => service.ask(`DELETE /api/memory/${id}?reason=test`)
const supersede = (id: string, superseded_by: unknown, ask: Ask = {}) =>
  service.ask(`POST /api/memories/${id}/supersede`, { body: { superseded_by, reason }, ...ask })
const tombstone = (id: string, ask: Ask = {}) =>
  service.ask(`POST /api/memories/${id}/tombstone`, ask)
const recover = (id: string, ask: Ask = {}) =>
  service.ask(`POST /api/memory/${id}/recover`, { body: { reason }, ...ask })
const lineage = async (id: string, query = '', ask: Ask = {}) =>
  (await service.ask(`GET /api/memory/${id}/lineage?${query}`, ask)).body

describe('supersede', () => {
  test('works: a superseded memory is read by id and not found otherwise', async () => {
    const [before, after] = [await saved('the heron nests here'), await saved('the heron left')]

    const { body } = await supersede(before, after)

    expect(body).toEqual({
      id: before,
      status: 'superseded',
      superseded_by: after,
      idempotent: false,
      currentVersion: 1,
      newVersion: 2,
    })
    expect((await read(before)).body).toMatchObject({
      superseded_by: after,
      superseded_reason: reason,
      superseded_at: expect.any(String),
    })
    const { results } = (await service.ask('POST /api/memory/recall', { body: { query: 'heron' } }))
      .body
    expect(results).toMatchObject([{ id: after }])
    const { history } = (await service.ask(`GET /api/memory/${before}/history`)).body
    expect(history).toMatchObject([{ event: 'created' }, { event: 'superseded', reason }])
  })

  test('refuses a cycle, itself, and memories that are superseded or deleted', async () => {
    const [one, two, three] = [await saved('one'), await saved('two'), await saved('three')]
    await supersede(one, two)
    await supersede(two, three)

    expect(await supersede(three, one)).toMatchObject({
      status: 409,
      body: { code: 'supersede_cycle' },
    })
    expect(await supersede(one, one)).toMatchObject({
      status: 400,
      body: { code: 'self_supersede' },
    })
    expect(await supersede(one, three)).toMatchObject({
      status: 409,
      body: { code: 'already_superseded' },
    })
    const gone = await saved('gone')
    await forget(gone)
    expect(await supersede(gone, three)).toMatchObject({ status: 409, body: { code: 'deleted' } })
    expect(await supersede(three, gone)).toMatchObject({
      status: 404,
      body: { code: 'target_not_found' },
    })
  })

  test.each([[{ project: 'yard' }], [{ scope: 'draft' }], [{ visibility: 'private' }]])(
    'refuses a successor in another scope: %j',
    async (place) => {
      const [here, there] = [await saved('here'), await saved(`there ${Object.keys(place)}`, place)]

      expect(await supersede(here, there)).toMatchObject({
        status: 409,
        body: { code: 'scope_mismatch' },
      })
    },
  )

  test('refuses without a successor', async () => {
    expect((await supersede('some', undefined)).body['error']).toBe('superseded_by is required')
    expect((await supersede('some', ' ')).body['error']).toBe('superseded_by is required')
  })

  test('who may: an agent supersedes only its own memories', async () => {
    const [here, there] = [await saved('ada said so'), await saved('ada says so now')]

    expect(await supersede(here, there, asGrace)).toMatchObject({
      status: 403,
      body: { code: 'out_of_scope' },
    })
    expect((await supersede(here, there, { role: 'readonly' })).status).toBe(403)
    expect((await supersede(here, there, asOwner)).status).toBe(200)
  })
})

describe('tombstone', () => {
  test('works on pinned memories and is idempotent', async () => {
    const id = await saved('critical: tombstone me')

    expect((await tombstone(id)).body).toEqual({
      id,
      status: 'tombstoned',
      currentVersion: 1,
      newVersion: 2,
    })
    expect((await tombstone(id)).body).toEqual({ id, status: 'tombstoned', currentVersion: 2 })
    const { history } = (await service.ask(`GET /api/memory/${id}/history`)).body
    expect(history).toMatchObject([{ event: 'created' }, { reason: 'curator tombstone' }])
  })

  test('refuses an unknown memory', async () => {
    expect((await tombstone('missing')).status).toBe(404)
  })

  test('who may: no agent deletes pinned memories or those of others', async () => {
    const id = await saved('critical: mine and pinned')

    expect(await tombstone(id, asOwner)).toMatchObject({
      status: 403,
      body: { code: 'autonomous_force_denied' },
    })
    expect(await tombstone(id, asGrace)).toMatchObject({
      status: 403,
      body: { code: 'out_of_scope' },
    })
    expect((await tombstone(id, { role: 'readonly' })).status).toBe(403)
  })
})

describe('recover', () => {
  test('works: a recovered memory is found again', async () => {
    const id = await saved('the ledger is in the attic')
    const find = async () => {
      const request = { body: { query: 'attic ledger' } }
      return (await service.ask('POST /api/memory/recall', request)).body['results']
    }
    await forget(id)
    expect(await find()).toEqual([])

    expect((await recover(id)).body).toMatchObject({ status: 'recovered', newVersion: 3 })
    expect(await find()).toMatchObject([{ id }])
  })

  test('refuses an expired version, and content that exists again', async () => {
    const id = await saved('said twice')
    await forget(id)
    const body = { reason, if_version: 1 }

    expect(await recover(id, { body })).toMatchObject({
      status: 409,
      body: { code: 'version_conflict', currentVersion: 2 },
    })
    const again = await saved('said twice')
    expect(await recover(id)).toMatchObject({
      status: 409,
      body: { code: 'duplicate_content_hash', duplicateMemoryId: again },
    })
  })

  test('who may: an agent recovers only its own memories', async () => {
    const id = await saved('gone from ada')
    await forget(id)

    expect((await recover(id, asGrace)).status).toBe(403)
    expect((await recover(id, { role: 'readonly' })).status).toBe(403)
    expect((await recover(id, asOwner)).status).toBe(200)
  })
})

describe('lineage', () => {
  test('works from each link: the whole chain, newest first', async () => {
    const ids: string[] = []
    for (const [n, content] of ['draft', 'second draft', 'final'].entries()) {
      const createdAt = `2026-01-0${n + 1}T00:00:00Z`
      ids.push(await saved(content, { createdAt, supersedes: ids.at(-1) ?? null }))
    }
    const newestFirst = ids.toReversed()

    for (const id of ids) {
      const { memoryId, count, lineage: chain } = await lineage(id)
      expect({ memoryId, count }).toEqual({ memoryId: id, count: 3 })
      expect((chain as { id: string }[]).map(({ id }) => id)).toEqual(newestFirst)
    }
    const { lineage: chain } = await lineage(ids[0] ?? '', 'limit=1')
    expect(chain).toEqual([
      {
        id: newestFirst[0],
        content: 'final',
        type: 'fact',
        importance: 0.8,
        version: 1,
        createdAt: '2026-01-03T00:00:00.000Z',
        updatedAt: expect.any(String),
        supersededBy: null,
        supersededAt: null,
        supersededReason: null,
      },
    ])
  })

  test('works: excludes deleted memories without breaking the chain', async () => {
    const first = await saved('link one')
    const second = await saved('link two', { supersedes: first })
    const third = await saved('link three', { supersedes: second })
    await forget(second)

    const { lineage: chain } = await lineage(third)

    expect((chain as { id: string }[]).map(({ id }) => id).toSorted()).toEqual(
      [first, third].toSorted(),
    )
  })

  test('works: an empty reply is valid', async () => {
    expect(await lineage('missing')).toEqual({ memoryId: 'missing', count: 0, lineage: [] })
  })

  test('refuses a limit that is not an integer', async () => {
    expect(await service.ask('GET /api/memory/some/lineage?limit=1.5')).toMatchObject({
      status: 400,
      body: { error: 'limit must be an integer' },
    })
  })

  test('who may: other agents get the reply of an unknown memory', async () => {
    const id = await saved('for me alone', { visibility: 'private' })

    expect(await lineage(id, '', asGrace)).toEqual({ memoryId: id, count: 0, lineage: [] })
  })
})
