import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { fixedHost } from '../../kernel/testing/fixed-host.ts'
import { forget, recover } from './forget.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { readMemory } from './read.ts'

import { remember } from './remember.ts'

const ada = callerFor('ada')
const reason = 'a test'

onEachEngine('restores a deleted memory within 30 days', async (db) => {
  const { needs } = memoryNeeds(db)
  const { id } = (await remember(needs, ada, plain('use tabs'))).memory
  await expect(recover(needs, ada, { id, reason })).rejects.toMatchObject({ code: 'not_deleted' })
  await forget(needs, ada, { id, reason, force: false })
  const late = { ...fixedHost('2026-02-02T03:04:05.000Z'), newId: needs.host.newId }

  await expect(recover({ ...needs, host: late }, ada, { id, reason })).rejects.toMatchObject({
    code: 'retention_expired',
  })
  await expect(recover(needs, ada, { id, reason, ifVersion: 1 })).rejects.toMatchObject({
    code: 'version_conflict',
  })
  expect(await recover(needs, ada, { id, reason })).toMatchObject({
    status: 'recovered',
    currentVersion: 2,
    newVersion: 3,
  })
  expect(await readMemory(needs, ada, { id })).toMatchObject({ deletedAt: null, version: 3 })
})

onEachEngine('a duplicate saved in the meantime blocks recovery', async (db) => {
  const { needs } = memoryNeeds(db)
  const { id } = (await remember(needs, ada, plain('use tabs'))).memory
  await forget(needs, ada, { id, reason, force: false })
  const { memory: twin } = await remember(needs, ada, plain('use tabs'))

  await expect(recover(needs, ada, { id, reason })).rejects.toMatchObject({
    code: 'duplicate_content_hash',
    details: { id, currentVersion: 2, duplicateMemoryId: twin.id },
  })
})
