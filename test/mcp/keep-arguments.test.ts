import { expect } from 'vitest'
import {
  type Arguments,
  type Fields,
  serveTools,
  testArguments,
} from '../support/tool-arguments.ts'

const { service, ada, anonymous } = await serveTools()

/** Stores with one more argument, and returns the saved memory. */
async function storeAndRead(more: Fields): Promise<Fields> {
  return ada.get(await ada.store({ content: `stored with ${JSON.stringify(more)}`, ...more }))
}

const when = '2023-05-06T07:08:09.000Z'
const timed = (argument: string, facet: string): (() => Promise<void>) => {
  return async () => {
    const id = await ada.store({ content: `a ${facet} time`, [argument]: when })
    const time = { start: '2023-05-06T00:00:00Z', facets: [facet], mode: 'timeline' }
    const results = await ada.find({ query: 'then', time, limit: 50 })
    expect(results).toContainEqual(expect.objectContaining({ id }))
  }
}

const storing: Arguments = {
  content: async () =>
    expect(await storeAndRead({ content: 'as said' })).toMatchObject({ content: 'as said' }),
  type: async () => expect(await storeAndRead({ type: 'rule' })).toMatchObject({ type: 'rule' }),
  importance: async () =>
    expect(await storeAndRead({ importance: 0.7 })).toMatchObject({ importance: 0.7 }),
  tags: async () => {
    expect(await storeAndRead({ tags: ['a', 'b'] })).toMatchObject({ tags: 'a,b' })
    expect(await storeAndRead({ tags: 'c, d' })).toMatchObject({ tags: 'c,d' })
  },
  pinned: async () => expect(await storeAndRead({ pinned: true })).toMatchObject({ pinned: 1 }),
  project: async () => expect(await storeAndRead({ project: 'p' })).toMatchObject({ project: 'p' }),
  hints: async () => {
    const id = await ada.store({ content: 'the spare key', hints: ['opening the quaint door'] })
    expect((await ada.find({ query: 'quaint' })).map((row) => row.id)).toContain(id)
  },
  occurredAt: timed('occurredAt', 'occurred'),
  observedAt: timed('observedAt', 'observed'),
  sourceCreatedAt: timed('sourceCreatedAt', 'source'),
  createdAt: async () =>
    expect(await storeAndRead({ createdAt: when })).toMatchObject({ created_at: when }),
  validFrom: timed('validFrom', 'valid'),
  validUntil: async () => {
    await ada.store({
      content: 'the toll is two crowns',
      validFrom: '2020-01-01',
      validUntil: when,
    })
    const body = { query: 'what is the toll in crowns', explain: true }
    const { body: reply } = await service.ask('POST /api/memory/recall', { agent: 'ada', body })
    expect(JSON.stringify(reply)).toContain('valid at another time')
  },
  reviewAfter: async () =>
    expect(await storeAndRead({ reviewAfter: when })).toMatchObject({ review_after: when }),
  supersedes: async () => {
    const old = await ada.store({ content: 'the old way' })
    const id = await ada.store({ content: 'the new way', supersedes: old })
    expect(await ada.get(old)).toMatchObject({ superseded_by: id })
  },
  transcript: async () => {
    const transcript = 'User: who tunes the harpsichord?'
    await storeAndRead({ transcript, session_key: 'music' })
    expect(await ada.call('session_search', { query: 'harpsichord' })).toMatchObject({ count: 1 })
  },
  structured: async () => {
    const structured = { hints: ['who winds the grandfather clock'] }
    const input = { content: 'the clock', structured }
    const id = await ada.store(input)
    expect(await ada.find({ query: 'who winds the grandfather' })).toMatchObject([{ id }])
  },
  session_key: async () =>
    expect(await storeAndRead({ session_key: 's' })).toMatchObject({ session_id: 's' }),
  agent_id: async () => {
    const id = await anonymous.store({ content: 'for eve', agent_id: 'eve' })
    expect(await ada.get(id)).toMatchObject({ agent_id: 'eve' })
  },
}

async function changed(more: Fields): Promise<Fields> {
  const id = await ada.store({ content: `to be changed by ${JSON.stringify(more)}` })
  await ada.call('memory_modify', { id, reason: 'a test', ...more })
  return ada.get(id)
}

async function historyOf(id: string) {
  return (await service.ask(`GET /api/memory/${id}/history`, { agent: 'ada' })).body['history']
}

const modifying: Arguments = {
  id: async () => {
    const input = { id: 'none', reason: 'a test', pinned: true }
    expect(await ada.refusalOf('memory_modify', input)).toContain('not_found')
  },
  reason: async () => {
    const { id } = await changed({ importance: 0.1, reason: 'it matters less' })
    expect(await historyOf(String(id))).toMatchObject([{}, { reason: 'it matters less' }])
  },
  // Content from any surface is evidence; its text and type stay.
  ...Object.fromEntries(
    ['content', 'type'].map((argument) => [
      argument,
      async () => {
        const id = await ada.store({ content: `its ${argument} stays` })
        const input = { id, reason: 'a test', [argument]: 'another' }
        expect(await ada.refusalOf('memory_modify', input)).toContain('episodic_content_immutable')
      },
    ]),
  ),
  importance: async () =>
    expect(await changed({ importance: 0.3 })).toMatchObject({ importance: 0.3 }),
  tags: async () => expect(await changed({ tags: ['x'] })).toMatchObject({ tags: 'x' }),
  pinned: async () => expect(await changed({ pinned: true })).toMatchObject({ pinned: 1 }),
}

const listed = async (input: Fields) =>
  (await ada.call('memory_list', input))['memories'] as readonly { id: string; type: string }[]

testArguments(ada.client, {
  memory_store: storing,
  memory_get: {
    id: async () => {
      const id = await ada.store({ content: 'read again' })
      expect(await ada.get(id)).toMatchObject({ id, content: 'read again' })
    },
  },
  memory_list: {
    limit: async () => expect(await listed({ limit: 2 })).toHaveLength(2),
    offset: async () => {
      const [, second] = await listed({ limit: 2 })
      expect(await listed({ limit: 1, offset: 1 })).toMatchObject([{ id: second?.id }])
    },
    type: async () => {
      await ada.store({ content: 'we take the train', type: 'decision' })
      const types = (await listed({ type: 'decision' })).map(({ type }) => type)
      expect([...new Set(types)]).toEqual(['decision'])
    },
  },
  memory_modify: modifying,
  memory_forget: {
    id: async () => {
      const id = await ada.store({ content: 'to be forgotten' })
      await ada.call('memory_forget', { id, reason: 'a test' })
      expect(await ada.refusalOf('memory_get', { id })).toContain('not_found')
    },
    reason: async () => {
      const id = await ada.store({ content: 'to be forgotten for a reason' })
      await ada.call('memory_forget', { id, reason: 'it was wrong' })
      expect(await historyOf(id)).toMatchObject([{}, { event: 'deleted', reason: 'it was wrong' }])
    },
  },
})
