import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { forget, sweepExpired } from './forget.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { readHistory, readMemory } from './read.ts'

import { remember } from './remember.ts'

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
