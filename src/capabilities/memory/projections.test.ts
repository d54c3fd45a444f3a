import { expect } from 'vitest'
import { transaction } from '../../kernel/db/transaction.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { memoryNeeds, onEachEngine } from './memory.fixture.ts'
import { type Projection, saveProjections } from './projections.ts'
import { listHistory } from './store/history.ts'
import { findMemory } from './store/memories.ts'
import { updateMemory } from './update.ts'

const claim: Projection = {
  id: 'c1',
  agentId: 'ada',
  project: 'p',
  visibility: 'private',
  content: 'Atlas, editor: vim',
  importance: 0.6,
  confidence: 0.7,
  reviewAfter: null,
  createdAt: '2025-05-05T00:00:00.000Z',
  state: 'current',
  supersededBy: null,
}
const actor = callerFor('ada')

onEachEngine('a projection is inserted, renamed, superseded, removed and restored', async (db) => {
  const { needs, announced } = memoryNeeds(db)
  const save = (...rows: Projection[]) =>
    transaction(db, (db) => saveProjections(needs, db, { actor, rows }))
  const read = async (id = 'c1') => (await findMemory(db, id)) ?? expect.fail(`no ${id}`)

  await save(claim, { ...claim, id: 'c2', content: 'Atlas, editor: emacs' })
  expect(await read()).toMatchObject({
    type: 'semantic',
    memoryKind: 'derived',
    tags: ['semantic', 'attribute'],
    who: 'dreaming',
    contentHash: 'semantic-attribute:c1',
    sourceType: 'ontology',
    sourceId: 'c1',
    createdAt: '2025-05-05T00:00:00.000Z',
    visibility: 'private',
    project: 'p',
    version: 1,
  })

  const renamed = { ...claim, content: 'Orion, editor: vim' }
  await save(renamed)
  expect(await read()).toMatchObject({
    content: 'Orion, editor: vim',
    contentHash: 'semantic-attribute:c1:2',
  })
  await save({ ...renamed, state: 'superseded', supersededBy: 'c2' })
  expect(await read()).toMatchObject({ supersededBy: 'c2', supersededAt: expect.any(String) })
  await save({ ...renamed, state: 'removed' })
  expect(await read()).toMatchObject({ supersededBy: null, deletedAt: expect.any(String) })
  await save(renamed)
  expect(await read()).toMatchObject({ supersededBy: null, deletedAt: null, version: 5 })

  const events = (await listHistory(db, 'c1', 9)).map(({ event }) => event)
  expect(events).toEqual(['created', 'updated', 'superseded', 'deleted', 'recovered'])
  expect(announced.map((entry) => (entry as string[])[0])).toEqual([
    'memory.saved',
    'memory.saved',
    'memory.changed',
    'memory.changed',
    'memory.forgotten',
    'memory.changed',
  ])
})

onEachEngine(
  'an equal projection changes nothing, and a removed one is not inserted',
  async (db) => {
    const { needs, announced } = memoryNeeds(db)
    const save = async (row: Projection) => {
      let existing: ReadonlySet<string> = new Set()
      const followUpWrites = (ids: ReadonlySet<string>) => {
        existing = ids
        return []
      }
      await saveProjections(needs, db, { actor, rows: [row], followUpWrites })
      return existing
    }

    expect(await save({ ...claim, state: 'removed' })).toEqual(new Set())
    expect(await save(claim)).toEqual(new Set(['c1']))
    expect(await save(claim)).toEqual(new Set(['c1']))
    expect(await findMemory(db, 'c1')).toMatchObject({ version: 1 })
    expect(announced).toHaveLength(1)
  },
)

onEachEngine('text and type of a derived memory cannot be edited', async (db) => {
  const { needs } = memoryNeeds(db)
  await saveProjections(needs, db, { actor, rows: [claim] })
  const update = (change: object) =>
    updateMemory(needs, actor, { id: 'c1', reason: 'r', ...change })

  const refusal = { code: 'semantic_projection_content_immutable' }
  await expect(update({ content: 'other' })).rejects.toMatchObject(refusal)
  await expect(update({ type: 'fact' })).rejects.toMatchObject(refusal)
  expect(await update({ tags: ['x'] })).toMatchObject({ status: 'updated' })
})
