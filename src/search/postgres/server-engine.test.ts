import { join } from 'node:path'
import { onTestFinished, test } from 'vitest'
import type { Database } from '../../kernel/db/database.ts'
import { realHost } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { openTestPostgres } from '../../kernel/testing/engines.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { testServer } from '../../kernel/testing/test-server.ts'
import { engineContract } from '../contract/engine.contract.ts'
import type { EngineHarness } from '../contract/harness.fixture.ts'
import { createEngineHarness, model, serverFeeds } from '../engine.fixture.ts'
import { createServerEngine } from './server-engine.ts'
import { openExtension } from './store/vector-index.ts'

const onServer = test.skipIf(!testServer)
const forms = ['memory', 'tables'] as const

onServer.for(forms.flatMap((form) => engineContract.map((each) => ({ form, ...each }))))(
  '$form: $name',
  async ({ form, needsVectors, run }, { skip }) => {
    const database = await openTestPostgres()
    skip(
      form === 'tables' &&
        needsVectors === true &&
        (await openExtension(database.db)) !== undefined,
    )
    await run(await createServerHarness(database, form))
  },
)

async function createServerHarness(
  database: Database,
  form: (typeof forms)[number],
): Promise<EngineHarness> {
  const { server = { url: '', connections: 0 } } = database
  const snapshotFile = join(await temporaryFolder(), 'search', 'memories.snap')
  return createEngineHarness(database, () => {
    const engine = createServerEngine({
      host: realHost,
      log: createLog('silent'),
      server,
      feeds: serverFeeds,
      snapshot: form === 'memory' ? { snapshotFile } : undefined,
      readModel: () => model,
    })
    onTestFinished(() => engine.close())
    return engine
  })
}
