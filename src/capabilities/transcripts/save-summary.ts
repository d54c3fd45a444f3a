import type { Db } from '../../kernel/db/database.ts'
import { upsertSummary } from './store/summaries.ts'
import { upsertThreadHead } from './store/thread-heads.ts'
import type { Summary } from './summary.ts'
import { toThreadHead } from './thread.ts'

/** Keeps a node, and leads its thread with it where it is the newest. */
export async function saveSummary(db: Db, summary: Summary): Promise<void> {
  await upsertSummary(db, summary)
  await upsertThreadHead(db, toThreadHead(summary))
}
