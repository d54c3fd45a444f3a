import { sql } from 'kysely'
import { type Db, engineOf } from '../../../kernel/db/database.ts'
import type { SessionRef, Transcript } from '../transcript.ts'
import { tables, transcriptColumns } from './rows.ts'

export interface CapturedFilter {
  readonly agentId: string
  readonly harnesses?: readonly string[] | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly after?: { readonly createdAt: string; readonly sessionKey: string } | undefined
  readonly limit: number
}

/** A page of the sessions that no import stored, without their content. */
export function listCapturedSessions(db: Db, filter: CapturedFilter) {
  const { agentId, harnesses, since, until, after, limit } = filter
  // PostgreSQL would sort by the rules of a language.
  const key =
    engineOf(db) === 'postgres' ? sql<string>`session_key collate "C"` : sql<string>`session_key`
  const at =
    engineOf(db) === 'postgres' ? sql<string>`created_at collate "C"` : sql<string>`created_at`
  let query = tables(db)
    .selectFrom('sessionTranscripts')
    .select(['agentId', 'sessionKey', 'createdAt'])
    .where('agentId', '=', agentId)
    .where('sourceFormat', '!=', 'import')
    .orderBy(at)
    .orderBy(key)
    .limit(limit)
  if (harnesses) query = query.where('harness', 'in', harnesses)
  if (since !== undefined) query = query.where('createdAt', '>=', since)
  if (until !== undefined) query = query.where('createdAt', '<=', until)
  if (after)
    query = query.where(({ eb, or, and }) =>
      or([
        eb(at, '>', after.createdAt),
        and([eb(at, '=', after.createdAt), eb(key, '>', after.sessionKey)]),
      ]),
    )
  return query.execute()
}

/** Transcripts of these sessions that no import has stored. */
export async function findCapturedTranscripts(
  db: Db,
  agentId: string,
  sessionKeys: readonly string[],
): Promise<Transcript[]> {
  if (sessionKeys.length === 0) return []
  return tables(db)
    .selectFrom('sessionTranscripts')
    .select(transcriptColumns)
    .where('agentId', '=', agentId)
    .where('sessionKey', 'in', sessionKeys)
    .where('sourceFormat', '!=', 'import')
    .execute()
}

export async function deleteImportedTranscripts(
  db: Db,
  agentId: string,
  keys: readonly SessionRef['sessionKey'][],
): Promise<void> {
  if (keys.length === 0) return
  await tables(db)
    .deleteFrom('sessionTranscripts')
    .where('agentId', '=', agentId)
    .where('sourceFormat', '=', 'import')
    .where('sessionKey', 'in', keys)
    .execute()
}
