import { expect } from 'vitest'
import { runRepair } from '../../kernel/testing/run-repair.ts'
import { bundled, countRows, embeddingsNeeds, onEachEngine, start } from './embeddings.fixture.ts'

onEachEngine('vectors of deleted and missing memories are deleted, once', async (db) => {
  const { needs, memories } = embeddingsNeeds(db)
  for (const id of ['one', 'two', 'three']) memories.put(id, `the ${id} harbour`)
  const embeddings = await start(needs)
  await embeddings.catchUp()
  memories.purge('one')
  memories.put('two', 'the two harbour', { live: false })
  const clean = (dryRun: boolean) =>
    runRepair(db, embeddings.repairs, { name: 'clean-orphans', dryRun })

  const found = await clean(true)
  expect(found.affected).toBe(2)
  expect(await countRows(db, bundled)).toBe(3)
  expect(await clean(false)).toMatchObject({
    affected: 2,
    message: 'Deleted 2 vectors without a memory.',
  })
  expect(await clean(false)).toMatchObject({ affected: 0 })
  expect(await countRows(db, bundled)).toBe(1)
})
