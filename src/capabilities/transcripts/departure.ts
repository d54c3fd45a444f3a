import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Db } from '../../kernel/db/database.ts'
import type { JobKind, Task } from '../../kernel/jobs/kind.ts'
import { keepOnly } from './files/transcript-file.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { deleteAgentRows, listAgentFiles, listSessionKeys, renameAgent } from './store/departure.ts'

const kind = 'transcripts.purge-files'

/** What becomes of an agent's sessions when it goes; part of that transaction. */
export function createDeparture({ host, jobs }: TranscriptsNeeds) {
  return {
    /** A sign that no name has keeps the rows from whoever takes the name next. */
    archive: async (db: Db, agentId: string) => {
      await jobs.cancel(db, { agentId })
      await renameAgent(db, agentId, `${agentId}~${host.newId()}`)
    },
    purge: async (db: Db, agentId: string) => {
      await jobs.cancel(db, { agentId })
      const files = await listAgentFiles(db, agentId)
      await deleteAgentRows(db, agentId)
      // Not as a job of the agent: it outlives it.
      await jobs.enqueue(db, { kind, payload: { agentId, ...files }, maxAttempts: 5 })
    },
  }
}

export function purgeFilesJob(needs: TranscriptsNeeds): JobKind {
  return { kind, run: (task) => purgeFiles(needs, task) }
}

const payloadOf = z.object({
  agentId: z.string(),
  harnesses: z.array(z.string()),
  paths: z.array(z.string()),
})

/** An agent of the same name may have come since: what it has kept stays. */
async function purgeFiles(needs: TranscriptsNeeds, { payload, signal }: Task): Promise<void> {
  const { agentId, harnesses, paths } = payloadOf.parse(payload)
  for (const path of paths) {
    signal.throwIfAborted()
    await rm(join(needs.folder, path), { force: true })
  }
  const kept = await listSessionKeys(needs.db, agentId)
  for (const harness of harnesses) {
    signal.throwIfAborted()
    await keepOnly(needs, { agentId, kept }, harness)
  }
}
