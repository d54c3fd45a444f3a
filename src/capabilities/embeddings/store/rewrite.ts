import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

export async function findLastRevision(db: Db): Promise<number> {
  const { last } = await tables(db)
    .selectFrom('memoryVectors')
    .select(({ fn }) => fn.max<number | null>('revision').as('last'))
    .executeTakeFirstOrThrow()
  return Number(last ?? 0)
}

interface Range {
  /** Exclusive. */
  readonly after: number
  /** Inclusive: rewritten rows have later revisions. */
  readonly upTo: number
  readonly limit: number
}

/** Replaces the next vectors by equal rows with new revisions. `last` is undefined at the end. */
export async function rewriteVectors(db: Db, { after, upTo, limit }: Range) {
  const rows = await tables(db)
    .selectFrom('memoryVectors')
    .selectAll()
    .where('revision', '>', after)
    .where('revision', '<=', upTo)
    .orderBy('revision')
    .limit(limit)
    .execute()
  if (rows.length === 0) return { rewritten: 0, last: undefined }
  await tables(db)
    .deleteFrom('memoryVectors')
    .where(
      'revision',
      'in',
      rows.map(({ revision }) => revision),
    )
    .execute()
  await tables(db)
    .insertInto('memoryVectors')
    .values(rows.map(({ revision, ...row }) => row))
    .execute()
  return {
    rewritten: rows.length,
    last: rows.length === limit ? rows.at(-1)?.revision : undefined,
  }
}
