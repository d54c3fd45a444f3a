import { transaction } from '../../../kernel/db/transaction.ts'
import { toCancelled } from '../control-import.ts'
import { emitChanged } from '../events.ts'
import type { ImportsNeeds } from '../needs.ts'
import { listIdleUploads, updateJob } from '../store/jobs.ts'

const maxIdleDays = 7
const dayMs = 86_400_000
const batchSize = 100
const error = `The upload did not continue for ${maxIdleDays} days. Import the files again.`

/** Cancels imports whose uploads were abandoned, so that they no longer reserve disk space. */
export async function expireUploads(needs: ImportsNeeds): Promise<void> {
  const now = needs.host.now()
  const before = new Date(now.getTime() - maxIdleDays * dayMs).toISOString()
  const updatedAt = now.toISOString()
  for (const job of await listIdleUploads(needs.db, { before, limit: batchSize }))
    await transaction(needs.db, async (db) => {
      const changed = { ...toCancelled(job, updatedAt), error, updatedAt }
      if (await updateJob(db, job, changed)) emitChanged(needs, db, { ...job, state: 'cancelled' })
    })
  needs.wake()
}
