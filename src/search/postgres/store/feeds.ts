import { CompiledQuery } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { bindList, type DeferredSelect } from '../../../kernel/db/deferred-select.ts'
import { prepareStatement } from '../../../kernel/db/postgres/prepared-statements.ts'
import type { Revisions, RowsWithNewest } from '../../embedded/thread/feed-connection.ts'
import type { ServerMemoryFeed, ServerVectorFeed } from '../../feed.ts'

export interface Feeds {
  readonly memoryFeed: ServerMemoryFeed
  readonly vectorFeed: ServerVectorFeed
}

interface Page {
  readonly after: number
  readonly limit: number
}

type Row = Readonly<Record<string, unknown>>

export async function readRevisions(db: Db, { memoryFeed }: Feeds) {
  const [newest] = await readFeed(db, memoryFeed.newestSql)
  const [swept] = await readFeed(db, memoryFeed.sweptSql)
  return { newest: Number(newest?.['revision'] ?? 0), swept: Number(swept?.['revision'] ?? 0) }
}

/** One statement: it runs before each search. */
export async function readNewest(db: Db, feeds: Feeds): Promise<Revisions> {
  const text = selectNewest(feeds)
  prepareStatement(text)
  const [newest] = await readFeed(db, text)
  return toRevisions(newest)
}

/** Runs a deferred select and reads the newest revisions in one statement. */
export async function readWithNewest(
  db: Db,
  feeds: Feeds,
  { select, list }: { readonly select: DeferredSelect; readonly list: readonly string[] },
): Promise<RowsWithNewest> {
  if (list.length === 0) {
    const newest = await readNewest(db, feeds)
    return { newest, selected: { columns: [], rows: [] } }
  }
  const text = `select * from (${selectNewest(feeds)}) as newest
    left join (select 1 as is_hit, hits.* from (${select.sql}) as hits) as selected on true`
  prepareStatement(text)
  const rows = await readFeed(db, text, bindList(select, list))
  const hits = rows.filter((row) => row['is_hit'] !== null)
  return {
    newest: toRevisions(rows[0]),
    selected: {
      columns: Object.keys(hits[0] ?? {}).slice(addedColumns),
      rows: hits.map((row) => Object.values(row).slice(addedColumns)),
    },
  }
}

/** The two revisions and `is_hit` precede the columns of a deferred select. */
const addedColumns = 3

function selectNewest({ memoryFeed, vectorFeed }: Feeds): string {
  return `select (${memoryFeed.newestSql}) as newest_memory, (${vectorFeed.newestSql}) as newest_vector`
}

function toRevisions(row: Row | undefined): Revisions {
  return {
    memories: Number(row?.['newest_memory'] ?? 0),
    vectors: Number(row?.['newest_vector'] ?? 0),
  }
}

/** Counts memories that are not deleted, up to the limit. */
export async function countMemories(db: Db, { memoryFeed }: Feeds, limit: number): Promise<number> {
  const [counted] = await readFeed(db, memoryFeed.countSql, [limit])
  return Number(counted?.['rows'] ?? 0)
}

export function readMemories(db: Db, { memoryFeed }: Feeds, { after, limit }: Page) {
  return readFeed(db, memoryFeed.sql, [after, limit])
}

/** Up to this revision no uncommitted row can be missed. */
export async function readSettled(db: Db, { vectorFeed }: Feeds): Promise<number> {
  const [settled] = await readFeed(db, vectorFeed.settledSql)
  return Number(settled?.['revision'] ?? 0)
}

export function readVectors(
  db: Db,
  { vectorFeed }: Feeds,
  { after, upTo, limit }: Page & { readonly upTo: number },
) {
  return readFeed(db, vectorFeed.sql, [after, limit, upTo])
}

interface VectorsOf {
  readonly memoryIds: readonly string[]
  readonly upTo: number
}

export function readVectorsOf(db: Db, { vectorFeed }: Feeds, { memoryIds, upTo }: VectorsOf) {
  return readFeed(db, vectorFeed.ofMemoriesSql, [memoryIds, upTo])
}

/** Models that have vectors. */
export async function readStoredIdentities(db: Db, { vectorFeed }: Feeds): Promise<string[]> {
  const rows = await readFeed(db, vectorFeed.storedIdentitiesSql)
  return rows.map((row) => String(row['identity']))
}

export async function readIdentities(db: Db, { vectorFeed }: Feeds): Promise<string[]> {
  const rows = await readFeed(db, vectorFeed.identitiesSql)
  return rows.map((row) => String(row['identity']))
}

/** Column names come from the feeds. */
async function readFeed(db: Db, text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  const query = CompiledQuery.raw(text, [...parameters])
  return (await db.withoutPlugins().executeQuery<Row>(query)).rows
}
