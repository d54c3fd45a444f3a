import type { Db } from '../../../kernel/db/database.ts'
import type { DreamingNeeds } from '../needs.ts'
import { readState, type StageChars, sumPending } from '../store/evidence.ts'
import { toTokens } from './evidence.ts'
import { type FeedNeeds, listFeeds, parseCursor } from './feeds.ts'

export interface Backlog {
  readonly tokens: number
  readonly sources: number
  /** Source time of the oldest evidence that waits. */
  readonly oldestAt: string | null
}

/** All evidence that a stage has not read: what a pass has seen, and what came since. */
export async function readBacklog(
  needs: FeedNeeds & Pick<DreamingNeeds, 'memory'>,
  db: Db,
  agentId: string,
  stage: StageChars,
): Promise<Backlog> {
  const state = await readState(db, agentId)
  const parts = await Promise.all([
    sumPending(db, agentId, stage),
    needs.memory.changes.sum(db, agentId, state.memoryCursor),
    ...listFeeds(needs).map(({ cursor, sum }) => sum(db, agentId, parseCursor(state[cursor]))),
  ])
  const oldest = parts.map(({ oldestAt }) => oldestAt).filter((at) => at !== null)
  return {
    tokens: toTokens(parts.reduce((sum, { chars }) => sum + chars, 0)),
    sources: parts.reduce((sum, { count }) => sum + count, 0),
    oldestAt: oldest.toSorted()[0] ?? null,
  }
}
