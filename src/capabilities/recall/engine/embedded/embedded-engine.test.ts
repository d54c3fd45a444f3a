import { readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../../../../kernel/db/database.ts'
import { createLog } from '../../../../kernel/log/log.ts'
import { openTestSqlite, temporaryFolder } from '../../../../kernel/testing/engines.ts'
import { fixedHost } from '../../../../kernel/testing/fixed-host.ts'
import { readStaticModel, vectorFeed } from '../../../embeddings/index.ts'
import { memoryFeed } from '../../../memory/index.ts'
import { engineContract } from '../engine.contract.ts'
import { createWorld } from '../engine.fixture.ts'
import type { EngineQuery } from '../engine.ts'
import { createEmbeddedEngine } from './embedded-engine.ts'

/** Reading it takes a moment, so all tests share it. */
const model = readStaticModel()

const asking = (text: string): EngineQuery => ({
  text,
  readScope: { agentId: 'ada', policy: 'isolated', groupAgents: [], project: null },
  filters: { scope: null },
  limit: 10,
  now: '2026-01-02T03:04:05.000Z',
})

test.for(engineContract)('$name', async ({ holds }) => {
  const { world } = await openPlace()

  await holds(world)
})

test('before the index is built an answer says so', async () => {
  const { create } = await openPlace()

  const { candidates, degraded } = await create().search(asking('anything'))

  expect([candidates, degraded]).toEqual([[], 'index_building'])
})

test('a restart goes on from the snapshot, and from nothing where there is none that is whole', async () => {
  const { world, snapshotFile } = await openPlace()
  const first = await world.open()
  for (const number of [1, 2, 3]) await world.keep(`memory-${number}`, `cat number${number}`)
  const { candidates } = await first.search(asking('cat'))
  expect(candidates).toHaveLength(3)
  await vi.waitFor(() => readFile(snapshotFile), { timeout: 10_000 })
  await first.close()

  for (const spoil of [false, true]) {
    if (spoil) await truncate(snapshotFile, 99)
    const engine = await world.open()
    expect((await engine.search(asking('cat'))).candidates).toEqual(candidates)
    await engine.close()
  }
})

async function openPlace() {
  const database = await openTestSqlite()
  const snapshotFile = join(await temporaryFolder(), 'search', 'memories.snap')
  const create = () => {
    const engine = createEmbeddedEngine({
      ...{ host: fixedHost(), log: createLog('silent'), memoryFeed, vectorFeed },
      readModel: () => model,
      ...{ file: fileOf(database), snapshotFile, snapshotAfter: 3 },
    })
    onTestFinished(() => engine.close())
    return engine
  }
  const world = await createWorld(database, create)
  return { world, create, snapshotFile }
}

function fileOf({ file }: Database): string {
  if (file === undefined) throw new Error('The database is in no file.')
  return file
}
