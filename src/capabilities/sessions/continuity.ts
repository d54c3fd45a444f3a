import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
import type { CheckpointTrigger } from '../transcripts/index.ts'
import type { SessionsNeeds } from './needs.ts'
import type { SessionId } from './session.ts'
import { deleteWindow, findWindow, lockWindow, updateWindow } from './store/windows.ts'
import {
  type Activity,
  addToWindow,
  isCheckpointDue,
  openWindow,
  toDigest,
  type Window,
} from './window.ts'

export type WindowOwner = SessionId & Pick<Window, 'harness' | 'project'>

/** Adds to the window of a session, opens it if needed and writes a due checkpoint. */
export async function recordActivity(
  needs: SessionsNeeds,
  owner: WindowOwner,
  activity: Activity,
): Promise<void> {
  const { db } = needs
  if (!needs.config().continuity.enabled) return
  const work = (db: Db) => updateWindowOf({ ...needs, db }, owner, activity)
  // A failure rolls back the outer transaction, so no savepoint is needed.
  await (db.isTransaction ? work(db) : transaction(db, work))
}

async function updateWindowOf(
  needs: SessionsNeeds,
  owner: WindowOwner,
  activity: Activity,
): Promise<void> {
  const { db, host, config } = needs
  const now = host.now()
  const stored = await lockWindow(db, owner, openWindow(owner, now.toISOString()))
  const window = addToWindow({ ...stored, project: stored.project ?? owner.project }, activity)
  const isDue = isCheckpointDue(window, now, config().continuity)
  if (isDue) await writeCheckpoint(needs, db, { id: owner, window, trigger: 'periodic' })
  const checkpointed = { checkpointAt: now.toISOString(), checkpointPrompts: window.promptCount }
  await updateWindow(db, owner, isDue ? { ...window, ...checkpointed } : window)
}

export interface CheckpointRequest {
  readonly trigger: CheckpointTrigger
  /** Sent by the harness. */
  readonly context?: CleanText | undefined
  /** Whether the checkpoint closes the window. */
  readonly ends: boolean
}

/** Writes the window as a checkpoint if it has a prompt. */
export async function checkpoint(
  needs: SessionsNeeds,
  db: Db,
  { id, ...closing }: CheckpointRequest & { readonly id: SessionId },
): Promise<void> {
  const window = await findWindow(db, id)
  if (window && window.promptCount > 0) await writeCheckpoint(needs, db, { ...closing, id, window })
  if (closing.ends) await deleteWindow(db, id)
}

type CheckpointInput = Omit<CheckpointRequest, 'ends'> & {
  readonly id: SessionId
  readonly window: Window
}

async function writeCheckpoint(
  { host, config, transcripts }: SessionsNeeds,
  db: Db,
  { id: { agentId, sessionKey }, window, trigger, context }: CheckpointInput,
): Promise<void> {
  const { maxCheckpointsPerSession: maxCheckpoints } = config().continuity
  await transcripts.saveCheckpoint(db, {
    agentId,
    sessionKey,
    trigger,
    maxCheckpoints,
    harness: window.harness,
    project: window.project ?? undefined,
    digest: toCleanText(toDigest(window, { trigger, context, now: host.now() })),
    promptCount: window.promptCount,
    memoryQueries: window.queries,
    recentRemembers: window.remembers,
  })
}
