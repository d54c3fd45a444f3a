import { expect, onTestFinished, test } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { realHost } from '../../kernel/host/host.ts'
import { openTestPostgres } from '../../kernel/testing/engines.ts'
import { testServer } from '../../kernel/testing/test-server.ts'
import { findSorted, vectorQuery } from '../contract/harness.fixture.ts'
import { createEngineHarness, embed, model, serverFeeds } from '../engine.fixture.ts'
import { createPostgresEngine } from './postgres-engine.ts'

test.skipIf(!testServer)('a late commit is not missed', async () => {
  const database = await openTestPostgres()
  const { db } = database
  const harness = await createEngineHarness(database, () => {
    const engine = createPostgresEngine({
      host: realHost,
      db,
      feeds: serverFeeds,
      readModel: () => model,
      onWarning: () => undefined,
    })
    onTestFinished(() => engine.close())
    return engine
  })
  for (const id of ['late', 'early', 'first']) {
    await harness.insert(id, id)
    await harness.embed(id, 'tiny', [[1, 0]])
  }
  const engine = await harness.open()
  const near = vectorQuery('tiny', 1, 0)
  expect(await findSorted(engine, 'cat', near)).toEqual(['early', 'first', 'late'])

  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const late = transaction(db, async (db) => {
    await moveAway(db, 'late')
    begun.resolve()
    await go.promise
  })
  await begun.promise
  await transaction(db, (db) => moveAway(db, 'early'))
  const pendingIds = findSorted(engine, 'cat', near)
  await waitersIn(db)
  go.resolve()
  await late

  expect(await pendingIds).toEqual(['first'])
})

/** A later revision with a vector that matches no query. */
function moveAway(db: Db, id: string): Promise<void> {
  return embed(db, { id, identity: 'tiny', vectors: [[-1, 0]] })
}

type Tables = {
  readonly pgLocks: { readonly locktype: string; readonly granted: boolean }
}

/** Resolves when a session waits for the advisory lock. */
async function waitersIn(db: Db): Promise<void> {
  const waiting = () =>
    db
      .withTables<Tables>()
      .selectFrom('pgLocks')
      .select('locktype')
      .where('locktype', '=', 'advisory')
      .where('granted', '=', false)
      .execute()
  await expect.poll(waiting).not.toEqual([])
}
