import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestSqlite } from '../../testing/engines.ts'
import { insertRows } from '../insert-rows.ts'

test('blobs of every size are returned as they were stored', async () => {
  const { db } = await openTestSqlite()
  await sql`create table files (name text, large blob, small blob)`.execute(db)
  const large = new Uint8Array(100_000).fill(7)
  const small = new Uint8Array([1, 2])
  await insertRows(db, 'files', [
    { name: 'a', large, small },
    { name: 'b', large: null, small: large },
    { name: 'c', large, small: null },
  ])

  const query = sql<Record<'name' | 'large' | 'small', Uint8Array | null>>`select * from files`
  for (let turn = 0; turn < 2; turn++) {
    const { rows } = await query.execute(db)
    expect(
      rows.map(({ name, ...bytes }) => [name, bytes.large?.at(-1), bytes.small?.length]),
    ).toEqual([
      ['a', 7, 2],
      ['b', undefined, 100_000],
      ['c', 7, undefined],
    ])
  }
})
