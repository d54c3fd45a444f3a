import { expect } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { executeBatch } from '../../kernel/db/execute-batch.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { forget, recover } from './forget.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { newHistoryEvent } from './memory.ts'
import { readHistory } from './read.ts'

import { remember } from './remember.ts'
import { insertHistoryQueries, insertSystemEvent } from './store/history.ts'
import { purgeAgent } from './store/purge.ts'
import { updateMemory } from './update.ts'

const ada = callerFor('ada')

onEachEngine('the history contains the original content after updates', async (db) => {
  const { needs } = memoryNeeds(db)
  const { memory } = await remember(needs, ada, plain('tabs'))
  const request = { id: memory.id, reason: 'a test', force: false }
  const readEvents = async () => {
    const history = await readHistory(needs, ada, { id: memory.id, limit: 10 })
    return history.map(({ event, oldContent, newContent }) => [event, oldContent, newContent])
  }
  await updateMemory(needs, ada, { ...request, pinned: true })
  expect(await readEvents()).toEqual([
    ['created', null, 'tabs'],
    ['updated', null, null],
  ])

  await allowChange(db)
  for (const content of ['spaces', 'both']) await updateMemory(needs, ada, { ...request, content })
  await forget(needs, ada, { ...request, force: true })
  await recover(needs, ada, request)

  expect(await readEvents()).toEqual([
    ['created', null, 'tabs'],
    ['updated', null, null],
    ['updated', 'tabs', 'spaces'],
    ['updated', 'spaces', 'both'],
    ['deleted', 'both', null],
    ['recovered', null, null],
  ])
})

onEachEngine('one statement inserts the events of all memories that exist', async (db) => {
  const { needs } = memoryNeeds(db)
  const [tabs, spaces] = [
    await remember(needs, ada, plain('tabs')),
    await remember(needs, ada, plain('spaces')),
  ].map(({ memory }) => memory.id)
  const toEvent = (memoryId = '') =>
    newHistoryEvent(
      { ...needs, caller: ada },
      { memoryId, event: 'updated', createdAt: '2026-01-02' },
    )
  const queries = insertHistoryQueries(db, [tabs, 'missing', spaces].map(toEvent))

  expect(queries).toHaveLength(1)
  expect(await executeBatch(db, queries)).toEqual([2])
  expect(insertHistoryQueries(db, [])).toEqual([])
})

onEachEngine(
  'an event of the service has no memory, and stays when memories are purged',
  async (db) => {
    const { needs } = memoryNeeds(db)
    const { memory } = await remember(needs, ada, plain('tabs'))
    await insertSystemEvent(db, {
      id: 'e1',
      changedBy: 'ada',
      actorType: 'operator',
      reason: 'a test',
      requestId: 'r1',
      metadata: { repairAction: 'requeue-dead' },
      createdAt: needs.host.now().toISOString(),
    })
    const history = db.withTables<{ memoryHistory: HistoryRow }>().selectFrom('memoryHistory')
    const listMemories = () =>
      history.select(['memoryId', 'metadata']).orderBy('position').execute()
    const ofService = { memoryId: 'system', metadata: '{"repairAction":"requeue-dead"}' }
    expect(await listMemories()).toEqual([{ memoryId: memory.id, metadata: null }, ofService])

    await purgeAgent(db, { agentId: 'ada', at: needs.host.now().toISOString() })
    expect(await listMemories()).toEqual([ofService])
  },
)

interface HistoryRow {
  readonly position: number
  readonly memoryId: string
  readonly metadata: string | null
}

/** What was not remembered but concluded may be rewritten. */
async function allowChange(db: Db): Promise<void> {
  const memories = db.withTables<{ memories: { memoryKind: string } }>()
  await memories.updateTable('memories').set({ memoryKind: 'semantic' }).execute()
}
