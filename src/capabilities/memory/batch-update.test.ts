import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { batchUpdate } from './batch-update.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { remember } from './remember.ts'

const ada = callerFor('ada')

onEachEngine('applies each patch independently', async (db) => {
  const { needs } = memoryNeeds(db)
  const { id } = (await remember(needs, ada, plain('patch me'))).memory

  const results = await batchUpdate(needs, ada, {
    reason: 'tidying',
    patches: [
      'no patch',
      { importance: 1 },
      { id, importance: 7 },
      { id, pinned: true },
      { id, pinned: true },
      { id, tags: 'a', if_version: 9 },
      { id: 'missing', tags: 'a' },
    ],
  })

  expect(results.map(({ id, status }) => [id, status])).toEqual([
    ['', 'invalid_request'],
    ['', 'invalid_request'],
    [id, 'invalid_request'],
    [id, 'updated'],
    [id, 'no_changes'],
    [id, 'version_conflict'],
    ['missing', 'not_found'],
  ])
  expect(results[0]?.error).toBe('Each patch must be an object')
  expect(results[1]?.error).toBe('Patch id is required')
})

onEachEngine('a patch needs its own reason or that of the batch', async (db) => {
  const { needs } = memoryNeeds(db)
  const { id } = (await remember(needs, ada, plain('why'))).memory

  const results = await batchUpdate(needs, ada, {
    reason: undefined,
    patches: [
      { id, pinned: true },
      { id, pinned: true, reason: 'its own' },
    ],
  })

  expect(results).toMatchObject([
    { status: 'invalid_request', error: 'reason is required' },
    { status: 'updated', newVersion: 2 },
  ])
})
