import { expect } from 'vitest'
import { transaction } from '../../kernel/db/transaction.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { createMemory } from './index.ts'
import { countRows, memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { readMemory } from './read.ts'
import { remember } from './remember.ts'

const ada = callerFor('ada')

onEachEngine('removing an agent archives or purges its memories', async (db) => {
  const { needs } = memoryNeeds(db)
  const { agentRemoval } = createMemory(needs)
  const span = { facet: 'valid', startAt: '2026-01-01T00:00:00.000Z', endAt: null } as const
  const body = { ...plain('use tabs'), spans: [span], hints: ['tabs or spaces'] }
  const { memory } = await remember(needs, ada, body)
  await remember(needs, ada, { ...body, visibility: 'private' })
  const { memory: archived } = await remember(needs, callerFor('bob'), body)

  await transaction(db, (db) => agentRemoval.archive(db, 'ada'))
  await expect(readMemory(needs, ada, memory)).rejects.toThrow('Not found')
  expect(await countRows(db, 'memories')).toBe(3)

  await transaction(db, (db) => agentRemoval.purge(db, 'ada'))
  expect(await readMemory(needs, callerFor('bob'), archived)).toEqual(archived)
  for (const table of ['memories', 'memory_history', 'memory_hints', 'temporal_edges'])
    expect(await countRows(db, table), table).toBe(1)
})
