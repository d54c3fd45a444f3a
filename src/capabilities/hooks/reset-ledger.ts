import type { Db } from '../../kernel/db/database.ts'
import type { HooksNeeds } from './needs.ts'

interface ResetRequest {
  readonly id: { readonly agentId: string; readonly sessionKey: string }
  readonly reason: 'session-clear' | 'compaction-complete'
}

/** The session may receive the same memories again. The new epoch refers to the last checkpoint. */
export async function resetSessionLedger(
  { recall, sessions, transcripts }: Pick<HooksNeeds, 'recall' | 'sessions' | 'transcripts'>,
  db: Db,
  { id, reason }: ResetRequest,
): Promise<void> {
  const { agentId, sessionKey } = id
  await sessions.deleteStarts(db, id)
  const checkpoint = await transcripts.findCheckpoint(db, id)
  await recall.advanceEpoch(db, {
    ...{ agentId, sessionKey, reason },
    sourceRef: checkpoint?.id ?? null,
  })
}
