import { expect } from 'vitest'
import { dreamingKit, onEachEngine } from '../dreaming.fixture.ts'
import { saveExclusion } from '../store/attention.ts'
import { searchEvidence } from './search.ts'

onEachEngine('a search finds memories that no pass has read, of one agent', async (db) => {
  const { needs, host, remember } = dreamingKit(db)
  const search = async (query: string, agentId = 'ada') => {
    const { items } = await searchEvidence(needs, db, { agentId, query, limit: 20 })
    return items.map((item) => String(Object(item).id))
  }
  const crane = await remember('The harbour crane lifts forty tonnes.')
  const gate = await remember('The lock gate of the harbour is painted green.')

  expect(await search('harbour crane')).toEqual([crane])
  expect((await search('harbour crane gate tonnes')).toSorted()).toEqual([crane, gate].toSorted())
  expect(await search('harbour crane', 'bob')).toEqual([])
  await saveExclusion(db, {
    agentId: 'ada',
    sourceKind: 'memory',
    sourceId: crane,
    reason: 'semantic_operation_rejected',
    passId: null,
    excludedAt: host.now().toISOString(),
    requeueRequestedAt: null,
    resolvedAt: null,
  })
  expect(await search('harbour')).toEqual([gate])
})
