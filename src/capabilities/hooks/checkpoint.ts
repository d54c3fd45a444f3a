import { transaction } from '../../kernel/db/transaction.ts'
import { enter, type HookRequest, noOps } from './hook.ts'
import type { HooksNeeds } from './needs.ts'
import type { checkpointBody } from './schemas.ts'
import { findCursor, upsertCursor } from './store.ts'

/** Characters since the last checkpoint; fewer make no checkpoint (contract-2 §8.3). */
const minNewCharacters = 500

/** For sessions that never end: saves the transcript, and a checkpoint if enough text is new. */
export async function extractCheckpoint(
  needs: HooksNeeds,
  { hook, transcript, transcriptPath }: HookRequest<typeof checkpointBody>,
) {
  const { caller, harness, sessionKey, project } = hook
  const entry = await enter(needs, hook, { noOp: noOps.checkpointExtract })
  if (entry.status === 'idle') return entry.reply
  if (sessionKey === undefined || !needs.settings().pipelineEnabled) return noOps.checkpointExtract
  const { sessions, transcripts } = needs
  const id = { agentId: caller.agentId, sessionKey }
  const session = { ...id, harness, project: project ?? undefined }
  const read = await transcripts.readInput({ harness, transcript, transcriptPath })
  const stored = await transcripts.findHeader(needs.db, id, 0)
  const length = read?.content.length ?? stored?.length ?? 0
  await transaction(needs.db, async (db) => {
    const cursor = (await findCursor(db, id)) ?? 0
    const from = startOf(length, cursor)
    const isNew = length - from >= minNewCharacters
    // The session may never be claimed or ended. The sweep closes silent presences.
    if (read || isNew) await sessions.touchPresence(db, { ...id, harness, project })
    if (read) await transcripts.saveSnapshot(db, { ...session, read, complete: false })
    if (isNew) await sessions.checkpoint(db, { id, trigger: 'explicit', ends: true })
    const lastOffset = isNew ? length : from
    const updatedAt = needs.host.now().toISOString()
    if (lastOffset !== cursor) await upsertCursor(db, { ...id, lastOffset, updatedAt })
  })
  return noOps.checkpointExtract
}

/** The start of the new text. A text shorter than the cursor is another text. */
function startOf(length: number, cursor: number): number {
  return length < cursor ? 0 : cursor
}
