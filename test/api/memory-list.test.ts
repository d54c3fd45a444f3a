import { describe, expect, test } from 'vitest'
import { startSharedService } from '../support/shared-service.ts'

const service = await startSharedService('lena')

const save = async (content: string, more: object = {}) =>
  String(
    (await service.ask('POST /api/memory/remember', { body: { content, ...more } })).body['id'],
  )
const list = (query: string, agent = 'lena') => service.ask(`GET /api/memories?${query}`, { agent })
const idsOf = async (query: string, agent?: string) => {
  const { status, body } = await list(query, agent)
  expect(status).toBe(200)
  return (body['memories'] as { id: string }[]).map(({ id }) => id)
}

describe('the list of memories', async () => {
  const old = await save('an old rake', {
    project: 'garden',
    tags: 'tools,shed',
    type: 'decision',
    createdAt: '2026-01-05T00:00:00Z',
  })
  const recent = await save('a new spade', { project: 'garden', tags: 'tools' })
  const plain = await save('a kettle', { createdAt: '2025-01-05T00:00:00Z' })
  const other = await save('a ledger', { tags: 'toolshed', scope: 'draft' })

  test.each([
    ['project=garden', [recent, old]],
    ['project=nothing', []],
    ['tags=tools', [recent, old]],
    ['tags=shed,tools', [old]],
    ['type=decision', [old]],
    ['type=decision&project=nothing', []],
    ['since=2026-02-01', [recent]],
    ['until=2026-01-05T00:00:00Z', [old, plain]],
    ['since=2026-01-05&until=2026-01-06&allScopes=true', [old]],
    ['tags=toolshed&allScopes=true', [other]],
  ])('filters by %s', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids)
  })

  test('filters by id prefix in any namespace', async () => {
    expect(await idsOf(`id_prefix=${other}`)).toEqual([other])
    expect(await idsOf(`id_prefix=${other.slice(0, 30).toUpperCase()}`)).toEqual([other])
    expect(await idsOf(`id_prefix=${other.slice(0, 6)}`)).toEqual(
      [old, recent, plain, other].toSorted(),
    )
    expect(await idsOf(`id_prefix=${other.slice(0, 6)}&project=garden`)).toEqual([old, recent])
    expect(await idsOf(`id_prefix=${other}`, 'otto')).toEqual([])
    expect(await idsOf('id_prefix=000000')).toEqual([])
  })

  test('stays within the project of a token for any prefix or project', async () => {
    const ask = { scope: { project: 'garden' } }
    const contents = async (query: string) => {
      const { body } = await service.ask(`GET /api/memories?${query}`, ask)
      return (body['memories'] as { id: string }[]).map(({ id }) => id)
    }

    expect(await contents(`id_prefix=${other.slice(0, 6)}`)).toEqual([old, recent])
    expect(await contents(`id_prefix=${other}`)).toEqual([])
    expect(await contents('tags=toolshed&allScopes=true')).toEqual([])
  })

  test('a prefix includes superseded memories, and deleted ones on request', async () => {
    const first = await save('the gate is green')
    const second = await save('the gate is red', { supersedes: first })
    await service.ask(`DELETE /api/memory/${second}?reason=r`)

    expect(await idsOf(`id_prefix=${first}`)).toEqual([first])
    expect(await idsOf(`id_prefix=${second}`)).toEqual([])
    expect(await idsOf(`id_prefix=${second}&include_deleted=true`)).toEqual([second])
    expect(await idsOf('include_deleted=true')).not.toContain(second)
  })

  test.each([
    ['id_prefix=0195f', 'id_prefix must be the beginning of an id, of at least 6 characters'],
    ['id_prefix=nonsense', 'id_prefix must be'],
    ['id_prefix=0195f3a0a', 'id_prefix must be'],
    ['since=soon', 'since must be a valid ISO timestamp'],
    ['until=soon', 'until must be a valid ISO timestamp'],
  ])('refuses %s', async (query, error) => {
    const { status, body } = await list(query)

    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(error) },
    })
  })
})

test('the refusal of an edit names the command that replaces a memory', async () => {
  const id = await save('words that stay')

  const { body } = await service.ask(`PATCH /api/memory/${id}`, {
    body: { content: 'other words', reason: 'r' },
  })

  expect(body).toMatchObject({
    code: 'episodic_content_immutable',
    error: expect.stringContaining('reverie replace ID TEXT'),
  })
})
