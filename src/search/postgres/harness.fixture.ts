import { onTestFinished } from 'vitest'
import type { Database } from '../../kernel/db/database.ts'
import { realHost } from '../../kernel/host/host.ts'
import type { EngineHarness } from '../contract/harness.fixture.ts'
import { createEngineHarness, model, serverFeeds } from '../engine.fixture.ts'
import { createPostgresEngine, type PostgresEngineNeeds } from './postgres-engine.ts'

/** An engine on a PostgreSQL database; closed after the test. */
export function createPostgresHarness(
  database: Database,
  more: Partial<PostgresEngineNeeds> = {},
): Promise<EngineHarness> {
  const { db } = database
  return createEngineHarness(database, () => {
    const engine = createPostgresEngine({
      host: realHost,
      db,
      feeds: serverFeeds,
      readModel: () => model,
      onWarning: () => undefined,
      ...more,
    })
    onTestFinished(() => engine.close())
    return engine
  })
}
