import { sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { countMemories } from './lists.ts'
import { type Tables, tables } from './rows.ts'

/** Size of the database in bytes, from its own page counts. */
export async function readDatabaseSize(db: Db): Promise<number> {
  const { rows } =
    engineOf(db) === 'postgres'
      ? await sql<Size>`select pg_database_size(current_database()) as bytes`.execute(db)
      : await sql<Size>`select page_count * page_size as bytes
          from pragma_page_count(), pragma_page_size()`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

interface Size {
  readonly bytes: number | string
}

/** Current memories of every agent, and those with a vector of a model, from the counters. */
export async function countCurrent(db: Db, identity: string) {
  const rows = await tables(db)
    .selectFrom('memoryCounts')
    .select(['identity', ({ fn }) => fn.sum<number | string>('total').as('total')])
    .where('identity', 'in', ['', identity])
    .where('visibility', '!=', 'archived')
    .groupBy('identity')
    .execute()
  const totalOf = (name: string) => Number(rows.find((row) => row.identity === name)?.total ?? 0)
  return { total: totalOf(''), embedded: identity === '' ? 0 : totalOf(identity) }
}

/** Deletions and recoveries since this time, from the index of the history. */
export async function countRecentChanges(db: Db, since: string) {
  const rows = await tables(db)
    .selectFrom('memoryHistory')
    .select(['event', ({ fn }) => fn.countAll<number | string>().as('count')])
    .where('createdAt', '>=', since)
    .where('event', 'in', ['deleted', 'recovered'])
    .groupBy('event')
    .execute()
  const countOf = (event: string) => Number(rows.find((row) => row.event === event)?.count ?? 0)
  return { recovers: countOf('recovered'), deletes: countOf('deleted') }
}

/** Rows that one query of a long count reads, so that other queries go between. */
export const sliceRows = 5_000

/** Adds up a count over all positions of the memories. */
async function sumSlices(
  db: Db,
  count: (slice: { readonly after: number; readonly upTo: number }) => Promise<number>,
): Promise<number> {
  const { last } = await tables(db)
    .selectFrom('memories')
    .select(({ fn }) => fn.max('position').as('last'))
    .executeTakeFirstOrThrow()
  let sum = 0
  for (let after = 0; after < Number(last ?? 0); after += sliceRows)
    sum += await count({ after, upTo: after + sliceRows })
  return sum
}

/** Rows of the text index, and live rows that it must have. Scans the index in slices. */
export async function countIndexed(db: Db): Promise<{ indexed: number; live: number }> {
  const { live } = await countMemories(db)
  return { live, indexed: await (engineOf(db) === 'postgres' ? countWords(db) : countTexts(db)) }
}

/** The text index of a server is a column. */
function countWords(db: Db): Promise<number> {
  return sumSlices(db, async ({ after, upTo }) => {
    const { count } = await tables(db)
      .selectFrom('memories')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('position', '>', after)
      .where('position', '<=', upTo)
      .where('deletedAt', 'is', null)
      .where(sql`words`, 'is not', null)
      .executeTakeFirstOrThrow()
    return Number(count)
  })
}

/**
 * Counts the rows of the text index without those of deleted memories. Rows have the positions of
 * their memories; stray ones may have others.
 */
async function countTexts(db: Db): Promise<number> {
  const texts = db.withTables<Tables & { memoriesFtsDocsize: { id: number } }>()
  let sum = 0
  for (let after: number | null = 0; after !== null; ) {
    const slice = texts
      .selectFrom('memoriesFtsDocsize')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(sliceRows)
    const sliceTotal: { count: number | string; last: number | null } = await texts
      .selectFrom(slice.as('slice'))
      .leftJoin('memories', 'memories.position', 'slice.id')
      .select(({ fn }) => [
        fn.countAll<number | string>().filterWhere('memories.deletedAt', 'is', null).as('count'),
        fn.max('slice.id').as('last'),
      ])
      .executeTakeFirstOrThrow()
    sum += Number(sliceTotal.count)
    after = sliceTotal.last
  }
  return sum
}

/** Counts live memories, and those with this text. Scans the contents in slices. */
export async function countHolding(db: Db, text: string) {
  const { live: total } = await countMemories(db)
  const holding = await sumSlices(db, async ({ after, upTo }) => {
    const { count } = await tables(db)
      .selectFrom('memories')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('position', '>', after)
      .where('position', '<=', upTo)
      .where('deletedAt', 'is', null)
      .where('content', 'like', `%${text}%`)
      .executeTakeFirstOrThrow()
    return Number(count)
  })
  return { total, holding }
}
