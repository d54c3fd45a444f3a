import type { Db } from '../../../kernel/db/database.ts'
import { tables } from './rows.ts'

export interface IdlePage {
  /** ISO. */
  readonly endedBefore: string
  /** The last name of the previous page. */
  readonly after: string
  readonly limit: number
}

/** Agents without a live or present session and the end of their last one, ordered by name. */
export async function listIdle(
  db: Db,
  {
    endedBefore,
    after,
    limit,
    now,
    seenAfter,
  }: IdlePage & { readonly now: string; readonly seenAfter: string },
): Promise<{ readonly agentId: string; readonly endedAt: string }[]> {
  return tables(db)
    .selectFrom('sessionScores')
    .select(({ fn }) => ['agentId', fn.max('createdAt').as('endedAt')])
    .where('agentId', '>', after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessionClaims')
            .select('agentId')
            .whereRef('sessionClaims.agentId', '=', 'sessionScores.agentId')
            .where('state', '=', 'active')
            .where('expiresAt', '>', now),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessionPresence')
            .select('agentId')
            .whereRef('sessionPresence.agentId', '=', 'sessionScores.agentId')
            .where('lastSeenAt', '>', seenAfter),
        ),
      ),
    )
    .groupBy('agentId')
    .having(({ fn }) => fn.max('createdAt'), '<=', endedBefore)
    .orderBy('agentId')
    .limit(limit)
    .execute()
}
