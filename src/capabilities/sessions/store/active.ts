import type { Db } from '../../../kernel/db/database.ts'
import type { Session } from '../session.ts'
import { tables } from './rows.ts'

interface ActiveFilter {
  readonly sessionKey: string
  /** Undefined for every agent. */
  readonly agentIds: readonly string[] | undefined
  readonly now: string
  readonly seenAfter: string
  readonly limit: number
}

/** The agents with a live claim or a presence of this key. An agent with both has two rows. */
export function listActiveRows(
  db: Db,
  { sessionKey, agentIds, now, seenAfter, limit }: ActiveFilter,
): Promise<Pick<Session, 'agentId' | 'project'>[]> {
  const present = tables(db)
    .selectFrom('sessionPresence')
    .select(['agentId', 'project'])
    .where('key', '=', `session:${sessionKey}`)
    .where('lastSeenAt', '>', seenAfter)
  const claimed = tables(db)
    .selectFrom('sessionClaims')
    .select(['agentId', 'project'])
    .where('sessionKey', '=', sessionKey)
    .where('state', '=', 'active')
    .where('expiresAt', '>', now)
  const [rows, claims] = agentIds
    ? [present.where('agentId', 'in', agentIds), claimed.where('agentId', 'in', agentIds)]
    : [present, claimed]
  return rows.unionAll(claims).orderBy('agentId').limit(limit).execute()
}
