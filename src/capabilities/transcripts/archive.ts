import type { Db } from '../../kernel/db/database.ts'
import { executeBatch } from '../../kernel/db/execute-batch.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { archiveTranscriptQuery, findHeader } from './store/transcripts.ts'
import type { SessionRef } from './transcript.ts'

/**
 * Archives the transcript after a compaction, within the caller's transaction. Its file receives the
 * content; readers see it until the next snapshot replaces it.
 */
export async function archive(
  { host, fileWriter }: Pick<TranscriptsRuntime, 'host' | 'fileWriter'>,
  db: Db,
  session: SessionRef,
): Promise<void> {
  const transcript = await findHeader(db, session, 0)
  if (!transcript) return
  await executeBatch(db, [
    archiveTranscriptQuery(db, session, host.now().toISOString()),
    fileWriter.markDirty(db, transcript),
  ])
}
