import type { Db } from '../../../kernel/db/database.ts'
import type { DreamingNeeds } from '../needs.ts'
import { readState, type StageChars, sumPending } from '../store/evidence.ts'
import { toTokens } from './evidence.ts'
import { parseCursor } from './scan.ts'

export interface Backlog {
  readonly tokens: number
  readonly sources: number
  /** Source time of the oldest evidence that waits. */
  readonly oldestAt: string | null
}

/** All evidence that a stage has not read: what a pass has seen, and what came since. */
export async function readBacklog(
  { memory, transcripts }: Pick<DreamingNeeds, 'memory' | 'transcripts'>,
  db: Db,
  agentId: string,
  stage: StageChars,
): Promise<Backlog> {
  const { memoryCursor, transcriptCursor } = await readState(db, agentId)
  const parts = [
    await sumPending(db, agentId, stage),
    await memory.changes.sum(db, agentId, memoryCursor),
    await transcripts.completed.sum(db, agentId, parseCursor(transcriptCursor)),
  ]
  const oldest = parts.map(({ oldestAt }) => oldestAt).filter((at) => at !== null)
  return {
    tokens: toTokens(parts.reduce((sum, { chars }) => sum + chars, 0)),
    sources: parts.reduce((sum, { count }) => sum + count, 0),
    oldestAt: oldest.toSorted()[0] ?? null,
  }
}
