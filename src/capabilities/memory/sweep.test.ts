import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { runRepair } from '../../kernel/testing/run-repair.ts'
import { forget } from './forget.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { readHistory, readMemory } from './read.ts'
import { remember } from './remember.ts'
import { createMemoryRepairs } from './repairs.ts'
import { sweepExpired } from './sweep.fixture.ts'

const ada = callerFor('ada')
const onDay = (day: string) => fixedHost(`2026-${day}T03:04:05.000Z`)

onEachEngine('purges expired memories with their history only', async (db) => {
  const { needs } = memoryNeeds(db)
  const memory = (await remember(needs, ada, plain('keep me'))).memory
  const gone = (await remember(needs, ada, plain('let me go'))).memory
  await forget(needs, ada, { id: gone.id, reason: 'a test', force: false, ifVersion: undefined })

  // Deleted on the second of January, so recoverable until the first of February.
  expect(await sweepExpired({ ...needs, host: onDay('02-01') })).toBe(0)
  expect(await sweepExpired({ ...needs, host: onDay('02-02') })).toBe(1)

  await expect(readMemory(needs, ada, { id: gone.id, deleted: true })).rejects.toMatchObject({
    kind: 'not_found',
  })
  await expect(readHistory(needs, ada, { id: gone.id, limit: 10 })).rejects.toMatchObject({
    kind: 'not_found',
  })
  expect(await readMemory(needs, ada, memory)).toEqual(memory)
})

onEachEngine('the repair deletes expired memories and old history, once', async (db) => {
  const { needs } = memoryNeeds(db)
  const gone = (await remember(needs, ada, plain('an old umbrella'))).memory
  const memory = (await remember(needs, ada, plain('a new umbrella'))).memory
  await forget(needs, ada, { id: gone.id, reason: 'a test', force: false, ifVersion: undefined })
  const actions = createMemoryRepairs({ ...needs, host: onDay('07-02') })
  const sweep = (dryRun: boolean) => runRepair(db, actions, { name: 'retention-sweep', dryRun })

  expect(await sweep(true)).toMatchObject({ affected: 4, counts: { tombstones: 1, history: 3 } })
  // The history of a memory goes with it.
  expect(await sweep(false)).toMatchObject({ affected: 2, counts: { tombstones: 1, history: 1 } })
  expect(await sweep(false)).toMatchObject({ affected: 0 })
  expect(await readMemory(needs, ada, memory)).toMatchObject({ content: 'a new umbrella' })
})
