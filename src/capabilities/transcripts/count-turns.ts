import type { Db } from '../../kernel/db/database.ts'
import { findFileState } from './store/transcript-files.ts'
import { countTurns } from './store/transcripts.ts'
import type { SessionRef } from './transcript.ts'

/**
 * The turns of a session, with those that a compaction has archived: its file holds them all, and
 * may lack the newest. 0 where no transcript is stored.
 */
export async function countAllTurns(db: Db, session: SessionRef): Promise<number> {
  const [stored, { checkpoint }] = await Promise.all([
    countTurns(db, session),
    findFileState(db, session),
  ])
  return Math.max(stored, checkpoint?.seq ?? 0)
}
