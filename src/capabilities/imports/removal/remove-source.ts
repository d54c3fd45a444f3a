import { transaction } from '../../../kernel/db/transaction.ts'
import { activeStates } from '../import-job.ts'
import type { ImportsNeeds } from '../needs.ts'
import { conflict } from '../refusals.ts'
import { deleteConversations, listConversationsOf, markRemoved } from '../store/conversations.ts'
import { addReserved, listFilesOfSource, updateFile } from '../store/files.ts'
import { findJob } from '../store/jobs.ts'
import { deleteAllChunks } from '../upload/reset.ts'

const batchSize = 100

interface ImportedSource {
  readonly agentId: string
  readonly sourceId: string
}

/** Refuses while a job works on a file of the source. Returns its files. */
export async function assertNoActiveJob(
  { db }: Pick<ImportsNeeds, 'db'>,
  { agentId, sourceId }: ImportedSource,
) {
  const files = await listFilesOfSource(db, agentId, sourceId)
  for (const { jobId } of files) {
    const job = await findJob(db, agentId, jobId)
    if (job && activeStates.includes(job.state))
      throw conflict(`The import of this source is ${job.state}. Cancel it first.`)
  }
  return files
}

/**
 * Deletes the retained bytes and the conversations of an imported file. Identities and outcomes stay.
 * Can be repeated after an interruption. False if no file has this source id.
 */
export async function removeImportedSource(
  needs: ImportsNeeds,
  { agentId, sourceId }: ImportedSource,
): Promise<boolean> {
  const { db, host, transcripts } = needs
  const files = await assertNoActiveJob(needs, { agentId, sourceId })
  const list = () => listConversationsOf(db, { agentId, sourceId, limit: batchSize })
  for (let some = await list(); some.length > 0; some = await list()) {
    const canonicalIds = some.map(({ canonicalId }) => canonicalId)
    const keys = some.flatMap(({ storedKey }) => storedKey ?? [])
    await transaction(db, async (db) => {
      await transcripts.imports.delete(db, agentId, keys)
      await deleteConversations(db, agentId, canonicalIds)
      await markRemoved(db, { agentId, canonicalIds, now: host.now().toISOString() })
    })
  }
  for (const { id, reservedBytes } of files) {
    await transaction(db, async (db) => {
      await addReserved(db, -reservedBytes)
      await updateFile(db, id, { storageState: 'purged', reservedBytes: 0 })
    })
    await deleteAllChunks(db, id)
  }
  return files.length > 0
}
