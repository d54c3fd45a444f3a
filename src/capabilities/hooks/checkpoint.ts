import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import type { SessionId } from '../sessions/index.ts'
import type { ReadTranscript } from '../transcripts/index.ts'
import { enter, type Hook, noOps } from './hook.ts'
import type { HooksNeeds } from './needs.ts'

import { findCursor, upsertCursor } from './store.ts'

export interface CheckpointRequest {
  readonly hook: Hook
  readonly transcript?: string | undefined
  readonly transcriptPath?: string | undefined
}

/** Characters since the last checkpoint; fewer make no checkpoint (contract-2 §8.3). */
const minNewCharacters = 500

/** For sessions that never end: saves the transcript each time, and a checkpoint where enough is new. */
export async function extractCheckpoint(needs: HooksNeeds, request: CheckpointRequest) {
  const { hook, transcript, transcriptPath } = request
  const { caller, harness, sessionKey } = hook
  const entry = await enter(needs, hook, { noOp: noOps.checkpointExtract })
  if (entry.status === 'idle') return entry.reply
  if (sessionKey === undefined || !needs.settings().pipelineEnabled) return noOps.checkpointExtract
  const id = { agentId: caller.agentId, sessionKey }
  const read = await needs.transcripts.readInput({ harness, transcript, transcriptPath })
  const stored = await needs.transcripts.findHeader(needs.db, id, 0)
  const length = read?.content.length ?? stored?.length ?? 0
  await transaction(needs.db, async (db) => {
    const reached = (await findCursor(db, id)) ?? 0
    // A text that is shorter than what was read of it is another one.
    const from = length < reached ? 0 : reached
    const isNews = length - from >= minNewCharacters
    if (read || isNews) await saveTranscript(needs, db, { hook, id, read })
    if (isNews) await needs.sessions.checkpoint(db, { id, trigger: 'explicit', ends: true })
    const lastOffset = isNews ? length : from
    const updatedAt = needs.host.now().toISOString()
    if (lastOffset !== reached) await upsertCursor(db, { ...id, lastOffset, updatedAt })
  })
  return noOps.checkpointExtract
}

interface ExtractInput {
  readonly hook: Hook
  readonly id: SessionId
  /** Undefined where all that was said is here already. */
  readonly read: ReadTranscript | undefined
}

async function saveTranscript(
  { transcripts, sessions }: HooksNeeds,
  db: Db,
  { hook: { harness, project }, id, read }: ExtractInput,
): Promise<void> {
  const snapshot = { ...id, harness, project: project ?? undefined, read, complete: false }
  // Nobody may ever claim or end it: it is closed when it falls silent.
  await sessions.touchPresence(db, { ...id, harness, project })
  if (read) await transcripts.saveSnapshot(db, snapshot)
}
