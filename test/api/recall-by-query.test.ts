import { afterAll, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'

const shown = 60
const guardrails = { recallTruncateChars: shown }
const service = await startService({ config: { memory: { pipelineV2: { guardrails } } } })
afterAll(() => service.stop())

const save = async (content: string, more: object = {}) => {
  const { body } = await service.ask('POST /api/memory/remember', { body: { content, ...more } })
  return String(body['id'])
}
const search = async (query: Readonly<Record<string, string>>) =>
  (await service.ask(`GET /api/memory/search?${new URLSearchParams(query)}`)).body
const found = async (query: Readonly<Record<string, string>>) =>
  ((await search(query))['results'] as { readonly id: string }[]).map(({ id }) => id)

test('filters a search by project, speaker and creation time', async () => {
  const createdAt = '2024-03-01T12:00:00Z'
  const old = await save('the windmill was oiled', { project: 'mills', who: 'maud', createdAt })
  const recent = await save('the windmill was painted', { project: 'barns', who: 'jonas' })

  expect((await found({ q: 'windmill' })).toSorted()).toEqual([old, recent].toSorted())
  expect(await found({ q: 'windmill', project: 'mills' })).toEqual([old])
  expect(await found({ q: 'windmill', who: 'jonas' })).toEqual([recent])
  expect(await found({ q: 'windmill', until: '2024-06-01' })).toEqual([old])
  expect(await found({ q: 'windmill', since: '2024-06-01' })).toEqual([recent])
})

test('deduplicates a search per session unless include_recalled is set', async () => {
  const id = await save('the ferryman is called Otto')
  const query = { q: 'ferryman', session_key: 'crossing' }

  expect(await found(query)).toEqual([id])
  expect(await search(query)).toMatchObject({ results: [], meta: { dedupe: { suppressed: 1 } } })
  expect(await search({ ...query, include_recalled: 'true' })).toMatchObject({
    results: [{ id, already_recalled: true }],
  })
  expect(await found({ ...query, session_key: 'another' })).toEqual([id])
})

test('truncates contents as configured, and returns full sources with expand', async () => {
  const content = `the lockkeeper opens at dawn ${'and waits '.repeat(20)}`.trim()
  const id = await save(content)

  const cut = { id, content: `${content.slice(0, shown)} [truncated]`, truncated: true }
  const whole = { content_length: content.length }
  expect(await search({ q: 'lockkeeper' })).toMatchObject({ results: [{ ...cut, ...whole }] })
  expect(await search({ q: 'lockkeeper' })).not.toHaveProperty('sources')
  expect(await search({ q: 'lockkeeper', expand: '1' })).toMatchObject({
    results: [cut],
    sources: { [id]: { content } },
  })
  const recall = { body: { query: 'lockkeeper' } }
  expect((await service.ask('POST /api/memory/recall', recall)).body).toMatchObject({
    results: [cut],
  })
  expect((await service.ask(`GET /api/memory/${id}`)).body).toMatchObject({ content })
})
