import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestPostgres, startPostgresAhead } from '../../../kernel/testing/engines.ts'
import { findIds } from '../../contract/harness.fixture.ts'
import { createPostgresHarness } from '../harness.fixture.ts'
import { emptyTables, readState } from './state.ts'

startPostgresAhead()

test('emptied tables contain no text, and are rebuilt by the next daemon that uses them', async () => {
  const database = await openTestPostgres()
  const { db } = database
  const { insert, embed, open } = await createPostgresHarness(database)
  const first = await open()
  await insert('one', 'the secret is swordfish', { who: 'Quasimodo' })
  await embed('one', 'tiny', [[1, 0]])
  expect(await findIds(first, 'swordfish')).toEqual(['one'])
  await first.close()
  const state = await readState(db)

  expect(await emptyTables(db, { ...state, seenMemory: state.seenMemory - 1 })).toBe(false)
  expect(await emptyTables(db, state)).toBe(true)

  for (const table of ['memory_search', 'memory_search_terms', 'memory_search_names']) {
    const { rows } = await sql`select 1 from ${sql.ref(table)}`.execute(db)
    expect(rows, table).toEqual([])
  }
  const second = await open()
  expect(await findIds(second, 'swordfish')).toEqual(['one'])
  expect(second.health()).toMatchObject({ rows: 1 })
})
