import { CompiledQuery } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { MemoryFeed, VectorFeed } from '../../feed.ts'

export interface Feeds {
  readonly memoryFeed: MemoryFeed
  readonly vectorFeed: VectorFeed & { readonly settledSql: string }
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

export async function readIdentities(db: Db, { vectorFeed }: Feeds): Promise<string[]> {
  const rows = await readFeed(db, vectorFeed.identitiesSql)
  return rows.map((row) => String(row['identity']))
}

/** Column names come from the feeds. */
async function readFeed(db: Db, text: string, parameters: readonly number[] = []): Promise<Row[]> {
  const query = CompiledQuery.raw(text, [...parameters])
  return (await db.withoutPlugins().executeQuery<Row>(query)).rows
}
