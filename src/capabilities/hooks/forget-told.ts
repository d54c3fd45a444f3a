import type { Db } from '../../kernel/db/database.ts'
import type { HooksNeeds } from './needs.ts'

interface Forgetting {
  readonly id: { readonly agentId: string; readonly sessionKey: string }
  readonly reason: 'session-clear' | 'compaction-complete'
}

/** Nothing that a session was told counts any more; its last checkpoint, if it has one, says what went before. */
export async function forgetTold(
  { recall, sessions, transcripts }: Pick<HooksNeeds, 'recall' | 'sessions' | 'transcripts'>,
  db: Db,
  { id, reason }: Forgetting,
): Promise<void> {
  const { agentId, sessionKey } = id
  await sessions.forgetStarts(db, id)
  const checkpoint = await transcripts.findCheckpoint(db, id)
  await recall.advanceEpoch(db, {
    ...{ agentId, sessionKey, reason },
    sourceRef: checkpoint?.id ?? null,
  })
}
