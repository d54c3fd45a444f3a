import { onTestFinished, test } from 'vitest'
import { realHost } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { openTestPostgres } from '../../kernel/testing/engines.ts'
import { testServer } from '../../kernel/testing/test-server.ts'
import { engineContract } from '../contract/engine.contract.ts'
import type { EngineHarness } from '../contract/harness.fixture.ts'
import { createEngineHarness, model, serverFeeds } from '../engine.fixture.ts'
import { createServerEngine } from './server-engine.ts'

/** Read once by all tests. */
const onServer = test.skipIf(!testServer)

onServer.for(engineContract)('$name', async ({ run }) => run(await createServerWorld()))

async function createServerWorld(): Promise<EngineHarness> {
  const database = await openTestPostgres()
  const { server = { url: '', connections: 0 } } = database
  return createEngineHarness(database, () => {
    const engine = createServerEngine({
      host: realHost,
      log: createLog('silent'),
      server,
      feeds: serverFeeds,
      readModel: () => model,
    })
    onTestFinished(() => engine.close())
    return engine
  })
}
