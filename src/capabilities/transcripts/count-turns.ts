import type { Db } from '../../kernel/db/database.ts'
import { countTurns } from './store/transcripts.ts'
import { findWritten } from './store/written.ts'
import type { SessionRef } from './transcript.ts'

/**
 * The turns of a session, with those that a compaction has archived: its file holds them all, and
 * may lack the newest. 0 where no transcript is stored.
 */
export async function countAllTurns(db: Db, session: SessionRef): Promise<number> {
  const [stored, { written }] = await Promise.all([
    countTurns(db, session),
    findWritten(db, session),
  ])
  return Math.max(stored, written?.seq ?? 0)
}
