import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { giveFeedback } from './feedback.ts'
import { listMemories, readMostUsed, readReviewQueue, readTimeline } from './list.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'

import type { MemoryNeeds } from './needs.ts'
import type { RememberRequest } from './new-memory.ts'
import { toTimelineReply } from './overview-schemas.ts'
import { remember } from './remember.ts'

import { countAccess } from './store/access.ts'
import { tables } from './store/rows.ts'

const ada = callerFor('ada')
const bob = callerFor('bob')

async function save(needs: MemoryNeeds, content: string, more: Partial<RememberRequest> = {}) {
  return (await remember(needs, ada, { ...plain(content), ...more })).memory.id
}

onEachEngine('lists the most used readable memories first', async (db) => {
  const { needs } = memoryNeeds(db, { bob: 'shared' })
  const [rare, often, own] = [
    await save(needs, 'rare'),
    await save(needs, 'often'),
    await save(needs, 'own', { visibility: 'private' }),
  ]
  await save(needs, 'never')
  for (const ids of [[rare, often, own], [often, own], [own]])
    await countAccess(db, ids, { times: 1, at: '2026-01-02T00:00:00.000Z' })

  const of = async (caller = ada) =>
    (await readMostUsed(needs, caller, { limit: 2 })).map(({ memory, accessCount }) => [
      memory.id,
      accessCount,
    ])
  expect(await of()).toEqual([
    [own, 3],
    [often, 2],
  ])
  expect(await of(bob)).toEqual([
    [often, 2],
    [rare, 1],
  ])
})

onEachEngine('the timeline counts memories and events by local days', async (db) => {
  const { needs } = memoryNeeds(db)
  const now = needs.host.now()
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()
  await save(needs, 'now', { type: 'decision', pinned: true, importance: 1 })
  await save(needs, 'some days ago', { createdAt: daysAgo(3), importance: 0.5 })
  await save(needs, 'weeks ago', { createdAt: daysAgo(20), importance: 0.5 })
  await save(needs, 'long ago', { createdAt: daysAgo(200) })

  const reply = toTimelineReply('ada', await readTimeline(needs, ada, { tzOffset: 0 }))

  expect(reply).toMatchObject({ generatedFor: 'ada', totalMemories: 3, totalHistoryEvents: 4 })
  expect(reply.buckets).toMatchObject([
    { rangeKey: 'today', memories: 1, pinned: 1, types: [{ name: 'decision', count: 1 }] },
    { rangeKey: 'last_week', memories: 2, averageImportance: 0.75 },
    { rangeKey: 'last_month', memories: 3, events: [{ name: 'created', count: 4 }] },
  ])
  const others = toTimelineReply('bob', await readTimeline(needs, bob, { tzOffset: 0 }))
  expect(others).toMatchObject({ totalMemories: 0, totalHistoryEvents: 0 })
  const { buckets } = await readTimeline(needs, ada, { tzOffset: -120 })
  expect(buckets.map(({ start }) => start.slice(11))).toEqual(Array(3).fill('22:00:00.000Z'))
})

onEachEngine(
  'the review queue lists due, disputed and low-confidence memories once',
  async (db) => {
    const { needs } = memoryNeeds(db)
    const past = '2020-01-01T00:00:00.000Z'
    const due = await save(needs, 'due', { reviewAfter: past })
    const confirmed = await save(needs, 'confirmed', { reviewAfter: past })
    await save(needs, 'not yet', { reviewAfter: '2999-01-01T00:00:00.000Z' })
    const unsure = await save(needs, 'unsure')
    await tables(db)
      .updateTable('memories')
      .set({ confidence: 0.2 })
      .where('id', '=', unsure)
      .execute()
    const praised = await save(needs, 'praised')
    const ratings = { [due]: -1, [confirmed]: 1, [praised]: -0.5, [unsure]: -1 }
    await giveFeedback(needs, ada, { key: 'a', ratings: new Map(Object.entries(ratings)) })
    await giveFeedback(needs, ada, { key: 'b', ratings: new Map([[praised, 1]]) })

    const queue = await readReviewQueue(needs, ada, {})

    expect(queue.map(({ memory, reasons }) => [memory.id, reasons])).toEqual([
      [due, ['review_due', 'disputed']],
      [unsure, ['disputed', 'low_confidence']],
    ])
    expect(await readReviewQueue(needs, bob, {})).toEqual([])
  },
)

onEachEngine('namespaced memories are listed only for their namespace', async (db) => {
  const { needs } = memoryNeeds(db)
  const saveIn = async (content: string, scope?: string) => {
    const id = await save(needs, content, { scope, reviewAfter: '2020-01-01T00:00:00.000Z' })
    await countAccess(db, [id], { times: 1, at: '2026-01-02T00:00:00.000Z' })
    await tables(db).updateTable('memories').set({ confidence: 0.2 }).where('id', '=', id).execute()
    await giveFeedback(needs, ada, { key: 'a', ratings: new Map([[id, -1]]) })
    return id
  }
  const outside = await saveIn('outside')
  const inside = await saveIn('inside', 'world:alpha')

  const readNamespace = async (scope?: string) => {
    const used = await readMostUsed(needs, ada, { limit: 10, scope })
    const queue = await readReviewQueue(needs, ada, { scope })
    const timeline = await readTimeline(needs, ada, { tzOffset: 0, scope })
    const { totalMemories, totalHistoryEvents } = toTimelineReply('ada', timeline)
    const { memories, stats } = await listMemories(needs, ada, { limit: 10, offset: 0, scope })
    return {
      ids: [...used, ...queue, ...memories.map((memory) => ({ memory }))].map(
        ({ memory }) => memory.id,
      ),
      reasons: queue.map(({ reasons }) => reasons.length),
      counts: [totalMemories, totalHistoryEvents, stats.total],
    }
  }
  const of = (id: string) => ({ ids: [id, id, id], reasons: [3], counts: [1, 2, 1] })
  expect(await readNamespace()).toEqual(of(outside))
  expect(await readNamespace('world:alpha')).toEqual(of(inside))
  expect(await readNamespace('world')).toEqual({ ids: [], reasons: [], counts: [0, 0, 0] })
})
