import { expect } from 'vitest'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { createAccessCounter } from './access-counter.ts'
import { insert, onEachEngine, recallNeeds } from './recall.fixture.ts'

const request = {
  readScope: { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null },
  filters: { scope: null },
  limit: 10,
} as const

onEachEngine('counts successive recalls in one batch', async (db) => {
  const { needs } = await recallNeeds(db)
  const host = manualClockHost()
  await insert(db, { id: 'often', content: 'tabs' }, { id: 'once', content: 'spaces' })
  const { search } = needs.memory
  const uses = async () =>
    new Map(
      (await search.listFound({ ids: ['often', 'once'], at: '' }, request)).map((one) => [
        one.memory.id,
        one,
      ]),
    )
  const counter = createAccessCounter({ ...needs, host })

  counter.record({ ids: ['often'], at: '2026-01-02' })
  counter.record({ ids: ['often', 'once'], at: '2026-01-03' })
  expect((await uses()).get('often')).toMatchObject({ accessCount: 0, lastAccessed: null })
  await counter.flush()

  const used = await uses()
  expect(used.get('often')).toMatchObject({ accessCount: 2, lastAccessed: '2026-01-03' })
  expect(used.get('once')).toMatchObject({ accessCount: 1, lastAccessed: '2026-01-03' })
})
