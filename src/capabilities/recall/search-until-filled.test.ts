import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { ask, insert, onEachEngine, recallNeeds, stubEngine } from './recall.fixture.ts'
import { recall } from './recall.ts'

const ada = callerFor('ada')
const sightings = Array.from({ length: 170 }, (_, number) => ({
  id: `w${number}`,
  content: `walrus sighting ${number}`,
}))

onEachEngine('repeated recalls return all memories to a session', async (db) => {
  const { needs } = await recallNeeds(db)
  await insert(db, ...sightings)
  const runRecall = async (query: string) =>
    (await recall(needs, ada, ask(query, { sessionKey: query }))).results.map(({ id }) => id)

  for (const query of ['walrus', 'what did I do on 2025-06-01']) {
    const all: string[] = []
    for (let call = 0; call < 17; call++) {
      const next = await runRecall(query)
      expect(next).toHaveLength(10)
      all.push(...next)
    }
    expect(new Set(all).size).toBe(170)
    expect(await runRecall(query)).toEqual([])
  }
})

onEachEngine(
  'widens the search only if the session has seen nearly all of a full page',
  async (db) => {
    const { needs } = await recallNeeds(db)
    await insert(db, ...sightings)
    const played = stubEngine(sightings)
    const deep = async (more: object, by = needs) => {
      played.queries.length = 0
      await recall({ ...by, ...played }, ada, ask('walrus', more))
      return played.queries.map(({ limit }) => limit)
    }

    expect(await deep({})).toEqual([20])
    expect(await deep({ sessionKey: 's' })).toEqual([120])
    await deep({ sessionKey: 's', limit: 50 })
    await deep({ sessionKey: 's', limit: 50 })
    await deep({ sessionKey: 's', limit: 50 })
    expect(await deep({ sessionKey: 's', limit: 20 })).toEqual([180])
    const few = stubEngine(sightings.slice(0, 50))
    played.queries.length = 0
    await recall({ ...needs, ...few }, ada, ask('walrus', { sessionKey: 's' }))
    expect(few.queries).toHaveLength(1)
    expect(await deep({ sessionKey: 's' })).toEqual([120, 240])
    expect(await deep({ sessionKey: 's', minScore: 0.9 })).toEqual([120])
    expect(await deep({ sessionKey: 's', includeRecalled: true })).toEqual([120])
    await db.schema.dropTable('session_recall_events').execute()
    expect(await deep({ sessionKey: 's' })).toEqual([120])
  },
)
