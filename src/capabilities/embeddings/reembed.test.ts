import { expect } from 'vitest'
import { runRepair } from '../../kernel/testing/run-repair.ts'
import {
  begin,
  bundled,
  countRows,
  embeddingsNeeds,
  onEachEngine,
  served,
  start,
  well,
} from './embeddings.fixture.ts'

onEachEngine('missing vectors are embedded in batches, once', async (db) => {
  const { needs, memories } = embeddingsNeeds(db)
  for (const id of ['one', 'two', 'three']) memories.put(id, `the ${id} harbour`)
  const { repairs } = await start(needs)
  const reembed = (dryRun: boolean) =>
    runRepair(db, repairs, { name: 're-embed', input: { batchSize: 2 }, dryRun })

  expect((await reembed(true)).message).toBe('Would embed 3 memories in 2 batches.')
  expect(await countRows(db, bundled)).toBe(0)
  expect((await reembed(false)).message).toBe('Embedded 2 memories; 1 remain.')
  expect(await reembed(false)).toMatchObject({ affected: 1, details: { remaining: 0 } })
  expect(await reembed(false)).toMatchObject({ affected: 0 })
  expect(await countRows(db, bundled)).toBe(3)
})

onEachEngine('vectors of another model stay until the new ones exist', async (db) => {
  const { config, needs, written } = await begin(db, well)
  const embeddings = await start(needs)
  await embeddings.catchUp()
  written.config = config
  const migrate = (dryRun: boolean) =>
    runRepair(db, embeddings.repairs, {
      name: 're-embed-migration',
      input: { agentId: 'ada', batchSize: 2 },
      dryRun,
    })

  expect((await migrate(true)).details).toMatchObject({
    selected: 3,
    selectedThisBatch: 2,
    target: { provider: 'ollama', model: 'small', dimensions: 3 },
    estimatedBatches: 2,
    vectorIndexRebuildRequired: true,
    sources: [{ provider: 'not-recorded', model: 'static-en-256', dimensions: 256, count: 3 }],
  })
  expect(await migrate(false)).toMatchObject({ affected: 2 })
  expect(await migrate(false)).toMatchObject({ affected: 1 })
  expect(await migrate(false)).toMatchObject({ affected: 0 })
  expect([await countRows(db, bundled), await countRows(db, served)]).toEqual([3, 3])
})

onEachEngine('a provider that does not answer fails the repair and loses nothing', async (db) => {
  const { config, needs, written } = await begin(db, () => ({ status: 500, body: {} }))
  const embeddings = await start(needs)
  await embeddings.catchUp()
  written.config = config
  const reembed = runRepair(db, embeddings.repairs, { name: 're-embed' })

  await expect(reembed).rejects.toMatchObject({ name: 'RepairFailure' })
  expect(await countRows(db, bundled)).toBe(3)
})

onEachEngine('the search index gets each vector with a new revision', async (db) => {
  const { needs, memories } = embeddingsNeeds(db)
  for (const id of ['one', 'two']) memories.put(id, `the ${id} harbour`)
  const embeddings = await start(needs)
  await embeddings.catchUp()
  const before = await embeddings.vectorOf('one')

  expect(await runRepair(db, embeddings.repairs, { name: 'resync-vec' })).toMatchObject({
    affected: 2,
  })
  expect(await embeddings.vectorOf('one')).toEqual(before)
  expect(await countRows(db, bundled)).toBe(2)
})
