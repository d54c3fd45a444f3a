import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

/** The last row that a reader has seen: the time of its change and its session. */
interface After {
  readonly updatedAt: string
  readonly id: string
}

const characters = sql<number | string>`length(content)`

const completed = (db: Db, agentId: string, { updatedAt, id }: After) =>
  tables(db)
    .selectFrom('sessionTranscripts')
    .where('agentId', '=', agentId)
    .where('completedAt', 'is not', null)
    .where(
      sql<SqlBool>`(updated_at > ${updatedAt} or (updated_at = ${updatedAt} and session_key > ${id}))`,
    )

/** Transcripts of ended sessions that changed since, in the order of their changes. */
export async function listCompleted(
  db: Db,
  agentId: string,
  { after, limit }: { readonly after: After; readonly limit: number },
) {
  const rows = await completed(db, agentId, after)
    .select(['sessionKey as id', 'contentHash', 'capturedAt as sourceTime', 'updatedAt'])
    .select(characters.as('chars'))
    .orderBy('updatedAt')
    .orderBy('sessionKey')
    .limit(limit)
    .execute()
  return rows.map(({ chars, ...row }) => ({ ...row, chars: Number(chars) }))
}

/** Their characters and the time of the oldest one. */
export async function sumCompleted(db: Db, agentId: string, after: After) {
  const row = await completed(db, agentId, after)
    .select(sql<number | string | null>`sum(length(content))`.as('chars'))
    .select(({ fn }) => [
      fn.countAll<number | string>().as('count'),
      fn.min('capturedAt').as('oldestAt'),
    ])
    .executeTakeFirst()
  return {
    chars: Number(row?.chars ?? 0),
    count: Number(row?.count ?? 0),
    oldestAt: row?.oldestAt ?? null,
  }
}
