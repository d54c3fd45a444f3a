import type { Db } from '../../kernel/db/database.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { archiveTranscript, findTranscript } from './store/transcripts.ts'
import type { SessionRef } from './transcript.ts'
import { enqueueWriteOut } from './write-out.ts'

/**
 * After a compaction, within the caller's transaction: what was said so far goes to its file, and is
 * read until the next snapshot takes its place.
 */
export async function archive(
  needs: Pick<TranscriptsNeeds, 'host' | 'jobs'>,
  db: Db,
  session: SessionRef,
): Promise<void> {
  const transcript = await findTranscript(db, session)
  if (!transcript) return
  await archiveTranscript(db, session, needs.host.now().toISOString())
  if (transcript.writtenHash !== transcript.contentHash)
    await enqueueWriteOut(needs, db, transcript)
}
