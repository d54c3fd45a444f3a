import { CompiledQuery } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Revisions } from '../../embedded/thread/feed-connection.ts'
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
export async function readNewest(db: Db, { memoryFeed, vectorFeed }: Feeds): Promise<Revisions> {
  const [newest] = await readFeed(
    db,
    `select (${memoryFeed.newestSql}) as memories, (${vectorFeed.newestSql}) as vectors`,
  )
  return { memories: Number(newest?.['memories'] ?? 0), vectors: Number(newest?.['vectors'] ?? 0) }
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
