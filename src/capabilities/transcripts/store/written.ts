import type { Db } from '../../../kernel/db/database.ts'
import type { SessionRef } from '../transcript.ts'
import type { Written } from '../written.ts'
import { tables } from './rows.ts'

/** Undefined where there is no such session; no mark where nobody knows what its file holds. */
export async function findWritten(
  db: Db,
  { agentId, sessionKey }: SessionRef,
): Promise<{ readonly written: Written | undefined } | undefined> {
  const row = await tables(db)
    .selectFrom('sessionTranscripts')
    .select('writtenMark')
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .executeTakeFirst()
  return row && { written: row.writtenMark === null ? undefined : JSON.parse(row.writtenMark) }
}

/** Undefined while it is being written to. */
export async function updateWritten(
  db: Db,
  { agentId, sessionKey }: SessionRef,
  written: Written | undefined,
): Promise<void> {
  await tables(db)
    .updateTable('sessionTranscripts')
    .set({
      writtenHash: written?.hash ?? null,
      writtenMark: written ? JSON.stringify(written) : null,
    })
    .where('agentId', '=', agentId)
    .where('sessionKey', '=', sessionKey)
    .execute()
}
