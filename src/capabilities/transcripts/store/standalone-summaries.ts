import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

/** The last summary that a reader has seen: its time and its id. */
interface After {
  readonly updatedAt: string
  readonly id: string
}

/** Summaries of single sessions without a stored transcript. */
const standalone = (db: Db, agentId: string, { updatedAt, id }: After) =>
  tables(db)
    .selectFrom('sessionSummaries')
    .where('sessionSummaries.agentId', '=', agentId)
    .where('sessionSummaries.depth', '=', 0)
    .where('sessionSummaries.kind', '=', 'session')
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('sessionSummaries.createdAt', 'sessionSummaries.id'), '>', tuple(updatedAt, id)),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessionTranscripts as transcript')
            .select('transcript.sessionKey')
            .whereRef('transcript.agentId', '=', 'sessionSummaries.agentId')
            .whereRef('transcript.sessionKey', '=', 'sessionSummaries.sessionKey'),
        ),
      ),
    )

/** In the order in which they were stored. */
export async function listStandaloneSummaries(
  db: Db,
  agentId: string,
  { after, limit }: { readonly after: After; readonly limit: number },
) {
  const rows = await standalone(db, agentId, after)
    .select(['id', 'latestAt as sourceTime', 'createdAt as updatedAt'])
    .select(sql<number | string>`length(content)`.as('chars'))
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ chars, ...row }) => {
    const contentHash = hash('sha256', `${row.sourceTime} ${chars}`)
    return { ...row, contentHash, chars: Number(chars) }
  })
}

/** Their characters and the time of the oldest one. */
export async function sumStandaloneSummaries(db: Db, agentId: string, after: After) {
  const row = await standalone(db, agentId, after)
    .select(sql<number | string | null>`sum(length(content))`.as('chars'))
    .select(({ fn }) => [
      fn.countAll<number | string>().as('count'),
      fn.min('latestAt').as('oldestAt'),
    ])
    .executeTakeFirst()
  const { chars = 0, count = 0, oldestAt = null } = row ?? {}
  return { chars: Number(chars), count: Number(count), oldestAt }
}
