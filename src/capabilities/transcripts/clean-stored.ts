import { executeBatch } from '../../kernel/db/execute-batch.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { createRowsTask, type UpgradeTask } from '../../kernel/jobs/upgrade-tasks.ts'
import { enqueueCapture } from './capture.ts'
import { cleanArtifactFiles, storedArtifacts } from './clean-artifacts.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { concurrentUpdate } from './save-snapshot.ts'
import { deleteCleanup, findCleanup, listUncleaned, updateCleanup } from './store/cleanups.ts'
import { findTranscript, updateTranscript } from './store/transcripts.ts'
import { hashContent, type SessionRef, type Transcript } from './transcript.ts'

/** Each may be megabytes. */
const batchSize = 20
/** A session that goes on is written meanwhile. */
const attempts = 20

/** The work on texts and files of earlier releases behind the start of the daemon. */
export function createUpgradeCleaning(needs: TranscriptsRuntime) {
  const { background: db } = needs
  const isClean = async () => (await findCleanup(db)) === undefined
  const upgradeTasks: readonly UpgradeTask[] = [
    createRowsTask(db, storedArtifacts),
    cleanArtifactFiles(needs),
    // Complete once `cleanTranscripts` is.
    {
      id: 'clean-transcripts',
      data: 'database',
      run: async () => ((await isClean()) ? undefined : []),
    },
  ]
  return { cleanTranscripts: createCleanup(needs), upgradeTasks }
}

/**
 * Drops injected blocks from the transcripts of earlier releases, a batch each call. The position is
 * saved after each batch, so a daemon that starts goes on; a batch may run twice.
 */
function createCleanup(needs: TranscriptsRuntime) {
  let isDone = false
  return async (): Promise<void> => {
    if (isDone) return
    const { background: db } = needs
    const cleanup = await findCleanup(db)
    const sessions = cleanup ? await listUncleaned(db, cleanup, batchSize) : []
    for (const session of sessions) await cleanTranscript(needs, session)
    const last = sessions.at(-1)
    if (last) await updateCleanup(db, last.position)
    else if (cleanup) await deleteCleanup(db)
    isDone = !last
  }
}

async function cleanTranscript(needs: TranscriptsRuntime, session: SessionRef): Promise<void> {
  const { background: db, texts } = needs
  for (let attempt = 0; attempt < attempts; attempt++) {
    const transcript = await findTranscript(db, session)
    if (!transcript) return
    const content = await texts.dropInjected(transcript.content)
    if (content === transcript.content) return
    if (await saveContent(needs, transcript, content)) return
  }
  throw concurrentUpdate()
}

/** With its file; what was captured is captured again. False when another writer was faster. */
function saveContent(
  needs: TranscriptsRuntime,
  transcript: Transcript,
  content: string,
): Promise<boolean> {
  const contentHash = hashContent(content)
  const changed = { content, contentHash, course: contentHash }
  return transaction(needs.background, async (db) => {
    if (!(await updateTranscript(db, transcript, changed))) return false
    const cleaned = { ...transcript, ...changed }
    if (transcript.completedAt === null)
      await executeBatch(db, [needs.fileWriter.markDirty(db, cleaned)])
    else await enqueueCapture(needs, db, { transcript: cleaned, outcome: 'changed' })
    return true
  })
}
