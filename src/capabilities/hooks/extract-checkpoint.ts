import { transaction } from '../../kernel/db/transaction.ts'
import { enter, type Hook } from './hook.ts'
import type { HooksNeeds } from './needs.ts'
import { noOps } from './no-op.ts'
import { findCursor, upsertCursor } from './store.ts'

export interface CheckpointRequest {
  readonly hook: Hook
  readonly transcript?: string | undefined
  readonly transcriptPath?: string | undefined
}

/** Characters since the last time; less is not worth the work. */
const leastNew = 500

/** For sessions that never end: keeps what was said so far and begins a new window. */
export async function extractCheckpoint(needs: HooksNeeds, request: CheckpointRequest) {
  const { hook, transcript, transcriptPath } = request
  const { caller, harness, project, sessionKey } = hook
  const entry = await enter(needs, hook, { noOp: noOps.checkpointExtract })
  if (entry.status === 'idle') return entry.reply
  if (sessionKey === undefined || !needs.settings().pipelineEnabled) return noOps.checkpointExtract
  const id = { agentId: caller.agentId, sessionKey }
  const read = await needs.transcripts.readInput({ harness, transcript, transcriptPath })
  const stored = await needs.transcripts.findOutline(needs.db, id, 0)
  const length = read?.content.length ?? stored?.length ?? 0
  await transaction(needs.db, async (db) => {
    const reached = (await findCursor(db, id)) ?? 0
    // A text that is shorter than what was read of it is another one.
    const isNews = length - (length < reached ? 0 : reached) >= leastNew
    if (!isNews) return
    if (read)
      await needs.transcripts.keepSnapshot(db, {
        ...{ ...id, harness, project: project ?? undefined, read, complete: false },
      })
    await needs.sessions.checkpoint(db, { id, trigger: 'explicit', ends: true })
    const updatedAt = needs.host.now().toISOString()
    await upsertCursor(db, { ...id, lastOffset: length, updatedAt })
  })
  return noOps.checkpointExtract
}
