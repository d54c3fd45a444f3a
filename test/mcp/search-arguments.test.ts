import { expect, test } from 'vitest'
import {
  type Arguments,
  connectTools,
  type Fields,
  serveTools,
  testArguments,
} from '../support/tool-arguments.ts'

const { service, ada, anonymous } = await serveTools()

/** Which of the memories about apples are found, best first. */
async function apples(input: Fields): Promise<readonly string[]> {
  const found = (await ada.find({ query: 'apples', ...input })).map(({ id }) => id)
  return found.flatMap((id) => (id in names ? [names[id] ?? ''] : []))
}

const names: Readonly<Record<string, string>> = {
  [await ada.store({
    content: 'apples grow in the orchard',
    project: 'alpha',
    type: 'fact',
    pinned: true,
    tags: ['fruit', 'tree'],
    importance: 0.9,
    createdAt: '2024-03-01T12:00:00Z',
    occurredAt: '2024-02-01T12:00:00Z',
  })]: 'orchard',
  [await ada.store({
    content: 'apples lie in the cellar',
    project: 'beta',
    type: 'decision',
    tags: 'fruit',
    importance: 0.2,
    createdAt: '2025-03-01T12:00:00Z',
  })]: 'cellar',
}
const gardener = { content: 'apples taste best in autumn', who: 'gardener' }
await service.ask('POST /api/memory/remember', { agent: 'ada', body: gardener })

async function fromScore(argument: string): Promise<void> {
  const [first, ...others] = await ada.find({ query: 'orchard apples' })
  const found = await ada.find({ query: 'orchard apples', [argument]: first?.score })
  expect(others.length).toBeGreaterThan(0)
  expect(found.every(({ score }) => score >= Number(first?.score))).toBe(true)
  expect(found.length).toBeLessThan(1 + others.length)
}

const searching: Arguments = {
  query: async () => {
    expect(await apples({})).toHaveLength(2)
    expect(await apples({ query: 'glaciers of Patagonia' })).toEqual([])
  },
  limit: async () => expect(await ada.find({ query: 'apples', limit: 1 })).toHaveLength(1),
  keyword_query: async () => {
    for (const keyword_query of ['cellar', 'orchard'])
      expect((await apples({ keyword_query }))[0]).toBe(keyword_query)
  },
  project: async () => expect(await apples({ project: 'alpha' })).toEqual(['orchard']),
  type: async () => expect(await apples({ type: 'decision' })).toEqual(['cellar']),
  tags: async () => {
    for (const tags of ['tree', ['tree', 'fruit']])
      expect(await apples({ tags })).toEqual(['orchard'])
  },
  who: async () =>
    expect(await ada.find({ query: 'apples', who: 'gardener' })).toMatchObject([
      { content: gardener.content },
    ]),
  since: async () => expect(await apples({ since: '2025-01-01' })).toEqual(['cellar']),
  until: async () => expect(await apples({ until: '2025-01-01' })).toEqual(['orchard']),
  pinned: async () => {
    expect(await apples({ pinned: true })).toEqual(['orchard'])
    expect(await apples({ pinned: false })).toEqual(['cellar'])
  },
  importance_min: async () => expect(await apples({ importance_min: 0.8 })).toEqual(['orchard']),
  score_min: () => fromScore('score_min'),
  min_score: () => fromScore('min_score'),
  sources: async () => {
    expect(await apples({ sources: false })).toHaveLength(2)
    expect(await apples({ sources: true })).toHaveLength(2)
  },
  min_confidence: async () => {
    expect(await apples({ min_confidence: 0 })).toHaveLength(2)
    expect(await apples({ min_confidence: 1 })).toEqual([])
    for (const min_confidence of [-0.1, 1.5])
      expect(await ada.refusalOf('memory_search', { query: 'apples', min_confidence })).toContain(
        'min_confidence',
      )
  },
  reference_time: async () => {
    const query = 'apples of yesterday'
    expect((await apples({ query, reference_time: '2024-03-02T12:00:00Z' }))[0]).toBe('orchard')
    expect((await apples({ query, reference_time: '2025-03-02T12:00:00Z' }))[0]).toBe('cellar')
  },
  time_zone: async () => {
    expect(await apples({ time_zone: 'Europe/Berlin' })).toHaveLength(2)
    const input = { query: 'apples', time_zone: 'Mars/Base' }
    expect(await ada.refusalOf('memory_search', input)).toContain('IANA time zone')
  },
  include_recalled: async () => {
    const session_key = 'forgetful'
    await apples({ session_key })
    expect(await apples({ session_key, include_recalled: true })).toHaveLength(2)
  },
  aggregate: async () => {
    const aggregated = (more: Fields) => ada.textOf('memory_search', { query: 'apples', ...more })
    expect(await aggregated({})).not.toContain('Not aggregated')
    expect(await aggregated({ aggregate: true })).toContain('Not aggregated (medium)')
  },
  aggregate_budget: async () =>
    expect(
      await ada.textOf('memory_search', {
        query: 'apples',
        aggregate: true,
        aggregate_budget: 'large',
      }),
    ).toContain('Not aggregated (large)'),
  save_aggregate: async () => {
    const reader = await connectTools(service, { token: service.tokenFor('readonly') })
    const input = { query: 'apples', aggregate: true, save_aggregate: true }
    expect(await reader.refusalOf('memory_search', input)).toContain('permission_missing')
  },
  session_key: async () => {
    const session_key = 'attentive'
    expect(await apples({ session_key })).toHaveLength(2)
    expect(await apples({ session_key })).toEqual([])
  },
  agent_id: async () => {
    const body = { content: 'eve keeps a raven', visibility: 'private' }
    await service.ask('POST /api/memory/remember', { agent: 'eve', body })
    const ravens = async (more: Fields) =>
      (await anonymous.find({ query: 'raven', ...more })).length
    expect([await ravens({}), await ravens({ agent_id: 'eve' })]).toEqual([0, 1])
  },
  scope: async () => {
    const body = { content: 'apples of bob' }
    const { id } = (await service.ask('POST /api/memory/remember', { agent: 'bob', body })).body
    const isFound = async (more: Fields) =>
      (await ada.find({ query: 'apples of bob', ...more })).some((row) => row.id === id)
    expect([await isFound({}), await isFound({ scope: 'agent' })]).toEqual([true, false])
  },
  time: async () => {
    const occurred = { start: '2024-02-01T00:00:00Z', facets: ['occurred'] }
    expect(await ada.find({ query: 'apples', time: occurred })).toMatchObject([
      { content: 'apples grow in the orchard' },
    ])
  },
}

const transcript = 'User: the windmill turns\nAssistant: so it does'
const talk = (session_key: string, more: Fields = {}) =>
  ada.store({ content: `a talk of ${session_key}`, transcript, session_key, ...more })
const windmills = async (input: Fields, by = ada) =>
  (await by.call('session_search', { query: 'windmill', ...input }))['hits'] as readonly {
    sessionKey: string
  }[]
await talk('mill-one')
await talk('mill-two', { project: 'mills' })

const searchingSessions: Arguments = {
  query: async () => {
    expect(await windmills({})).toHaveLength(2)
    expect(await windmills({ query: 'glacier' })).toEqual([])
  },
  session_key: async () =>
    expect(await windmills({ session_key: 'mill-one' })).toMatchObject([
      { sessionKey: 'mill-one' },
    ]),
  current_session_key: async () =>
    expect(await windmills({ current_session_key: 'mill-one' })).toMatchObject([
      { sessionKey: 'mill-two' },
    ]),
  agent_id: async () => {
    expect(await windmills({}, anonymous)).toEqual([])
    expect(await windmills({ agent_id: 'ada' }, anonymous)).toHaveLength(2)
  },
  project: async () =>
    expect(await windmills({ project: 'mills' })).toMatchObject([{ sessionKey: 'mill-two' }]),
  limit: async () => expect(await windmills({ limit: 1 })).toHaveLength(1),
}

testArguments(ada.client, { memory_search: searching, session_search: searchingSessions })

test('a refusal names the arguments of the tool', async () => {
  const search = { query: 'apples', time_zone: 'Mars/Olympus' }
  expect(await ada.refusalOf('memory_search', search)).toContain('time_zone must be')
  expect(await ada.refusalOf('agent_message_send', { content: 'hello' })).toContain(
    'to_agent_id, to_session_key or broadcast is required',
  )
  const store = { content: 'apples', validFrom: '2026-02-01', validUntil: '2026-01-01' }
  expect(await ada.refusalOf('memory_store', store)).toContain('validUntil must be after validFrom')
})
