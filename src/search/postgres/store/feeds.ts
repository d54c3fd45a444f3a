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
  const [newest] = await ask(db, memoryFeed.newestSql)
  const [swept] = await ask(db, memoryFeed.sweptSql)
  return { newest: Number(newest?.['revision'] ?? 0), swept: Number(swept?.['revision'] ?? 0) }
}

export function readMemories(db: Db, { memoryFeed }: Feeds, { after, limit }: Page) {
  return ask(db, memoryFeed.sql, [after, limit])
}

/** Up to which revision none is missed by what is asked from now on. */
export async function readSettled(db: Db, { vectorFeed }: Feeds): Promise<number> {
  const [settled] = await ask(db, vectorFeed.settledSql)
  return Number(settled?.['revision'] ?? 0)
}

export function readVectors(
  db: Db,
  { vectorFeed }: Feeds,
  { after, upTo, limit }: Page & { readonly upTo: number },
) {
  return ask(db, vectorFeed.sql, [after, limit, upTo])
}

export async function readIdentities(db: Db, { vectorFeed }: Feeds): Promise<string[]> {
  const rows = await ask(db, vectorFeed.identitiesSql)
  return rows.map((row) => String(row['identity']))
}

/** Columns are as the feeds name them. */
async function ask(db: Db, text: string, parameters: readonly number[] = []): Promise<Row[]> {
  const query = CompiledQuery.raw(text, [...parameters])
  return (await db.withoutPlugins().executeQuery<Row>(query)).rows
}
