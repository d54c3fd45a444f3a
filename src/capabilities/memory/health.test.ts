import { expect } from 'vitest'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { memorySettings } from './config.ts'
import { forget } from './forget.ts'
import { memoryHealth } from './health.ts'
import { memoryNeeds, onEachEngine, plain } from './memory.fixture.ts'
import { remember } from './remember.ts'

const ada = callerFor('ada')

onEachEngine('health reports live and deleted counts, and a freeze', async (db) => {
  const { needs } = memoryNeeds(db)
  expect(await memoryHealth(needs).check()).toMatchObject({ score: 1 })
  await remember(needs, ada, plain('keep me'))
  await remember(needs, callerFor('bob'), plain('keep me as well'))
  const gone = (await remember(needs, ada, plain('let me go'))).memory
  await forget(needs, ada, { id: gone.id, reason: 'a test', force: false, ifVersion: undefined })
  const frozen = () => memorySettings.schema.parse({ mutationsFrozen: true })

  expect(await memoryHealth(needs).check()).toEqual({
    status: 'ok',
    reasons: [],
    details: { live: 2, deleted: 1, frozen: false },
    score: 0.7,
  })
  expect(await memoryHealth({ ...needs, config: frozen }).check()).toMatchObject({
    status: 'degraded',
    reasons: ['writes are frozen'],
  })
})
