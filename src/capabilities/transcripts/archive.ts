import type { Db } from '../../kernel/db/database.ts'
import { executeBatch } from '../../kernel/db/execute-batch.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { archivingTranscript, findOutline } from './store/transcripts.ts'
import type { SessionRef } from './transcript.ts'

/**
 * After a compaction, within the caller's transaction: what was said so far goes to its file, and is
 * read until the next snapshot takes its place.
 */
export async function archive(
  { host, writeOut }: Pick<TranscriptsRuntime, 'host' | 'writeOut'>,
  db: Db,
  session: SessionRef,
): Promise<void> {
  const transcript = await findOutline(db, session, 0)
  if (!transcript) return
  await executeBatch(db, [
    archivingTranscript(db, session, host.now().toISOString()),
    writeOut.wanting(db, transcript),
  ])
}
