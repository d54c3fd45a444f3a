import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { advanceEpoch, recordShown, sweepLedger } from './ledger.ts'
import { ask, insert, onEachEngine, recallNeeds } from './recall.fixture.ts'
import { recall } from './recall.ts'
import { countRecallEvents, deleteOfAgent, findEpoch, listRecallEvents } from './store.ts'

const ada = callerFor('ada')
const sessionRequest = ask('tabs', { sessionKey: 's' })

onEachEngine('a new epoch allows all items again', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'tabs' })
  const advance = { sessionKey: 's', agentId: 'ada', reason: 'compaction', sourceRef: null }

  await recall(needs, ada, sessionRequest)
  expect((await recall(needs, ada, sessionRequest)).results).toEqual([])
  expect(await advanceEpoch(needs, advance)).toBe(1)

  const { results, meta } = await recall(needs, ada, sessionRequest)
  expect(results).toHaveLength(1)
  expect(meta.dedupe).toMatchObject({ contextEpoch: 1, suppressed: 0 })
})

onEachEngine('concurrent advances receive distinct epochs', async (db) => {
  const { needs } = await recallNeeds(db)
  const advance = { sessionKey: 's', agentId: 'ada', reason: 'session-clear', sourceRef: null }

  const epochs = await Promise.all(Array.from({ length: 8 }, () => advanceEpoch(needs, advance)))

  expect(epochs.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

onEachEngine('agents in one session are deduplicated separately', async (db) => {
  const { needs } = await recallNeeds(db)
  await needs.agents.readScopeOf(db, ada)
  await insert(db, { id: 'a', content: 'tabs' }, { id: 'b', content: 'tabs', agentId: 'bob' })

  await recall(needs, ada, sessionRequest)
  const { results, meta } = await recall(needs, callerFor('bob'), sessionRequest)

  expect(results.map(({ id }) => id)).toEqual(['b'])
  expect(meta.dedupe).toMatchObject({ suppressed: 0 })
})

onEachEngine('removing an agent deletes its ledger rows only', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'tabs' }, { id: 'b', content: 'tabs', agentId: 'bob' })
  const contexts = ['ada', 'bob'].map((agentId) => ({ sessionKey: 's', agentId }))
  for (const context of contexts) {
    await advanceEpoch(needs, { ...context, reason: 'compaction', sourceRef: null })
    await recall(needs, callerFor(context.agentId), sessionRequest)
  }

  await deleteOfAgent(db, 'ada')

  const [ofAda, ofBob] = await Promise.all(
    contexts.map(async (context) => [
      await findEpoch(db, context),
      (await listRecallEvents(db, context, 10)).length,
    ]),
  )
  expect([ofAda, ofBob]).toEqual([
    [0, 0],
    [1, 1],
  ])
})

onEachEngine('the ledger records the surface of an item', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'tabs' }, { id: 'b', content: 'spaces' })

  await recall(needs, ada, sessionRequest)
  await recall(needs, ada, { ...ask('spaces', { sessionKey: 's' }), surface: 'mcp.memory_search' })

  const events = await listRecallEvents(db, { sessionKey: 's', agentId: 'ada' }, 10)
  const mode = 'explicit'
  expect(events.toSorted((one, other) => one.itemId.localeCompare(other.itemId))).toMatchObject([
    { itemId: 'a', surface: 'api.memory.recall', mode },
    { itemId: 'b', surface: 'mcp.memory_search', mode },
  ])
})

onEachEngine('items of a session start belong to the session, with any ledger key', async (db) => {
  const { needs } = await recallNeeds(db)
  const show = (sessionKey: string, ownerSessionKey?: string) =>
    recordShown(needs, {
      context: { agentId: 'ada', sessionKey },
      ...(ownerSessionKey !== undefined && { ownerSessionKey }),
      surface: 'api.hooks.session-start',
      mode: 'automatic',
      items: [{ itemKind: 'memory', itemId: 'a', score: 1, source: 'standing' }],
    })
  await show('codex:/p:s', 's')
  // As releases before have written it.
  await show('codex:/p:old')

  const list = (sessionKey: string) => listRecallEvents(db, { sessionKey, agentId: 'ada' }, 10)
  expect(await countRecallEvents(db, 'ada', { limit: 9 })).toMatchObject([
    { sessionKey: 's', count: 1 },
  ])
  expect(await countRecallEvents(db, 'ada', { keys: ['s'], limit: 9 })).toHaveLength(1)
  expect(await list('s')).toMatchObject([{ itemId: 'a' }])
  expect(await list('codex:/p:s')).toEqual([])
})

onEachEngine('deletes ledger rows after thirty days', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'tabs' })
  await recall(needs, ada, sessionRequest)

  await sweepLedger({ ...needs, host: fixedHost('2026-01-31T00:00:00.000Z') })
  expect((await recall(needs, ada, sessionRequest)).results).toEqual([])
  await sweepLedger({ ...needs, host: fixedHost('2026-02-03T00:00:00.000Z') })
  expect((await recall(needs, ada, sessionRequest)).results).toHaveLength(1)
})

onEachEngine('an active session keeps an old epoch', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'tabs' })
  const advance = { sessionKey: 's', agentId: 'ada', reason: 'compaction', sourceRef: null }
  const on = (day: string) => ({ ...needs, host: fixedHost(`2026-${day}T00:00:00.000Z`) })
  await advanceEpoch(on('01-01'), advance)
  await advanceEpoch(on('01-02'), advance)
  await recall(on('01-20'), ada, sessionRequest)

  await sweepLedger(on('02-05'))
  expect((await recall(on('02-05'), ada, sessionRequest)).results).toEqual([])
  expect(await advanceEpoch(on('02-05'), advance)).toBe(3)
  expect((await recall(on('02-05'), ada, sessionRequest)).results).toHaveLength(1)

  await sweepLedger(on('06-01'))
  expect(await advanceEpoch(on('06-01'), advance)).toBe(1)
})

onEachEngine('suppresses nothing while the ledger is unavailable', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, { id: 'a', content: 'tabs' })
  await db.schema.dropTable('session_recall_events').execute()

  const { results, meta } = await recall(needs, ada, sessionRequest)

  expect(results).toHaveLength(1)
  expect(meta.dedupe).toMatchObject({ enabled: false, failedOpen: true })
})
