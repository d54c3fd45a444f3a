import { sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

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

/** Rows of the text index, and live rows that it must have. Scans both. */
export async function countIndexed(db: Db): Promise<{ indexed: number; live: number }> {
  const live = tables(db)
    .selectFrom('memories')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('deletedAt', 'is', null)
  const indexed =
    engineOf(db) === 'postgres'
      ? live.where(sql`words`, 'is not', null)
      : db
          .withTables<{ memoriesFtsDocsize: { id: number } }>()
          .selectFrom('memoriesFtsDocsize')
          .select(({ fn }) => fn.countAll<number | string>().as('count'))
  const [rows, words] = [
    await live.executeTakeFirstOrThrow(),
    await indexed.executeTakeFirstOrThrow(),
  ]
  return { live: Number(rows.count), indexed: Number(words.count) }
}

/** Counts live memories, and those with this text. Scans the contents. */
export async function countHolding(db: Db, text: string) {
  const { total, holding } = await tables(db)
    .selectFrom('memories')
    .select([
      sql<number | string>`count(*)`.as('total'),
      sql<number | string | null>`sum(case when content like ${`%${text}%`} then 1 else 0 end)`.as(
        'holding',
      ),
    ])
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return { total: Number(total), holding: Number(holding ?? 0) }
}
