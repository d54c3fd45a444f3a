import type { Db } from '../../../kernel/db/database.ts'
import { type ConversationRow, tables } from './rows.ts'

export interface ConversationFilter {
  readonly agentId: string
  readonly harnesses?: readonly string[] | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly after?: ConversationRow | undefined
  readonly limit: number
}

/** By instant, then by the bytes of the session key. */
export function listConversations(
  db: Db,
  { agentId, harnesses, since, until, after, limit }: ConversationFilter,
): Promise<ConversationRow[]> {
  let query = tables(db)
    .selectFrom('importedConversations')
    .selectAll()
    .where('agentId', '=', agentId)
    .orderBy('at')
    .orderBy('sessionKey')
    .orderBy('canonicalId')
    .limit(limit)
  if (harnesses) query = query.where('harness', 'in', harnesses)
  if (since !== undefined) query = query.where('at', '>=', since)
  if (until !== undefined) query = query.where('at', '<=', until)
  if (after)
    query = query.where(({ eb, or, and }) =>
      or([
        eb('at', '>', after.at),
        and([eb('at', '=', after.at), eb('sessionKey', '>', after.sessionKey)]),
        and([
          eb('at', '=', after.at),
          eb('sessionKey', '=', after.sessionKey),
          eb('canonicalId', '>', after.canonicalId),
        ]),
      ]),
    )
  return query.execute()
}

/** Some conversations that a source owns. */
export function listConversationsOf(
  db: Db,
  { agentId, sourceId, limit }: { agentId: string; sourceId: string; limit: number },
) {
  return tables(db)
    .selectFrom('importedConversations')
    .select(['canonicalId', 'storedKey'])
    .where('agentId', '=', agentId)
    .where('ownerSourceId', '=', sourceId)
    .orderBy('canonicalId')
    .limit(limit)
    .execute()
}

export async function countConversationsOf(
  db: Db,
  agentId: string,
  sourceId: string,
): Promise<number> {
  const { count } = await tables(db)
    .selectFrom('importedConversations')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('agentId', '=', agentId)
    .where('ownerSourceId', '=', sourceId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function deleteConversations(
  db: Db,
  agentId: string,
  canonicalIds: readonly string[],
): Promise<void> {
  await tables(db)
    .deleteFrom('importedConversations')
    .where('agentId', '=', agentId)
    .where('canonicalId', 'in', canonicalIds)
    .execute()
}

/** The identities stay, so that the same conversation can be imported again. */
export async function markRemoved(
  db: Db,
  { agentId, canonicalIds, now }: { agentId: string; canonicalIds: readonly string[]; now: string },
): Promise<void> {
  await tables(db)
    .updateTable('transcriptImportConversations')
    .set({ state: 'removed', updatedAt: now })
    .where('agentId', '=', agentId)
    .where('canonicalId', 'in', canonicalIds)
    .execute()
}
