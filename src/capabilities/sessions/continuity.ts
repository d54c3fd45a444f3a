import type { Db } from '../../kernel/db/database.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { type CleanText, toCleanText } from '../../kernel/redaction/clean-text.ts'
import type { CheckpointTrigger } from '../transcripts/index.ts'
import { toDigest } from './digest.ts'
import type { SessionsNeeds } from './needs.ts'
import type { SessionId } from './session.ts'
import { deleteWindow, findWindow, lockWindow, updateWindow } from './store/windows.ts'
import { addToWindow, isCheckpointDue, type Note, openWindow, type Window } from './window.ts'

export type Noting = SessionId & Pick<Window, 'harness' | 'project'>

/** Adds to a session's window, which is opened if need be, and writes the checkpoint that is due. */
export async function note(needs: SessionsNeeds, noting: Noting, added: Note): Promise<void> {
  const { db } = needs
  if (!needs.config().continuity.enabled) return
  const work = (db: Db) => addNote({ ...needs, db }, noting, added)
  // What fails here fails with the transaction that it is part of: no savepoint is needed.
  await (db.isTransaction ? work(db) : transaction(db, work))
}

async function addNote(needs: SessionsNeeds, noting: Noting, added: Note): Promise<void> {
  const { db, host, config } = needs
  const now = host.now()
  const found = await lockWindow(db, noting, openWindow(noting, now.toISOString()))
  const window = addToWindow({ ...found, project: found.project ?? noting.project }, added)
  const isDue = isCheckpointDue(window, now, config().continuity)
  if (isDue) await writeCheckpoint(needs, db, { id: noting, window, trigger: 'periodic' })
  const checkpointed = { checkpointAt: now.toISOString(), checkpointPrompts: window.promptCount }
  await updateWindow(db, noting, isDue ? { ...window, ...checkpointed } : window)
}

export interface Closing {
  readonly trigger: CheckpointTrigger
  /** What the harness says of the session. */
  readonly context?: CleanText | undefined
  /** Whether the window ends with it; otherwise it goes on. */
  readonly ends: boolean
}

/** Writes what the window holds, if there was a prompt in it. */
export async function checkpoint(
  needs: SessionsNeeds,
  db: Db,
  { id, ...closing }: Closing & { readonly id: SessionId },
): Promise<void> {
  const window = await findWindow(db, id)
  if (window && window.promptCount > 0) await writeCheckpoint(needs, db, { ...closing, id, window })
  if (closing.ends) await deleteWindow(db, id)
}

type Written = Omit<Closing, 'ends'> & { readonly id: SessionId; readonly window: Window }

async function writeCheckpoint(
  { host, config, transcripts }: SessionsNeeds,
  db: Db,
  { id: { agentId, sessionKey }, window, trigger, context }: Written,
): Promise<void> {
  const { maxCheckpointsPerSession: maxCheckpoints } = config().continuity
  await transcripts.saveCheckpoint(db, {
    ...{ agentId, sessionKey, trigger, maxCheckpoints, harness: window.harness },
    project: window.project ?? undefined,
    digest: toCleanText(toDigest(window, { trigger, context, now: host.now() })),
    promptCount: window.promptCount,
    memoryQueries: window.queries,
    recentRemembers: window.remembers,
  })
}
