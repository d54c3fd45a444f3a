import { onTestFinished } from 'vitest'
import type { Database } from '../../kernel/db/database.ts'
import { realHost } from '../../kernel/host/host.ts'
import type { World } from '../contract/harness.fixture.ts'
import { createWorld, model, serverFeeds } from '../engine.fixture.ts'
import { createPostgresEngine, type PostgresEngineNeeds } from './postgres-engine.ts'

/** What an engine on a server finds; it goes with the test. */
export function createWorldOn(
  database: Database,
  more: Partial<PostgresEngineNeeds> = {},
): Promise<World> {
  const { db } = database
  return createWorld(database, () => {
    const engine = createPostgresEngine({
      ...{ host: realHost, db, feeds: serverFeeds, readModel: () => model },
      ...{ onTrouble: () => undefined, ...more },
    })
    onTestFinished(() => engine.close())
    return engine
  })
}
