import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Db } from '../../kernel/db/database.ts'
import type { JobKind, Task } from '../../kernel/jobs/kind.ts'
import { deleteAgentRecords, listHarnesses } from './files/transcript-file.ts'
import type { TranscriptsNeeds } from './needs.ts'
import {
  deleteAgent,
  deleteFiles,
  detachFiles,
  findSessionKeys,
  listFiles,
  renameAgent,
} from './store/agent-removal.ts'

const kind = 'transcripts.purge-files'
const fileBatchSize = 200

/** Archives or purges the sessions of a removed agent, in the caller's transaction. */
export function createAgentRemoval({ host, jobs }: TranscriptsNeeds) {
  /** `~` is invalid in agent names, so no later agent can own the rows. */
  const archivedName = (agentId: string) => `${agentId}~${host.newId()}`
  return {
    archive: async (db: Db, agentId: string) => {
      await jobs.cancel(db, { agentId })
      await renameAgent(db, agentId, archivedName(agentId))
    },
    purge: async (db: Db, agentId: string) => {
      const filesOf = archivedName(agentId)
      await jobs.cancel(db, { agentId })
      await detachFiles(db, agentId, filesOf)
      await deleteAgent(db, agentId)
      // The job has no agent, because it runs after the removal.
      await jobs.enqueue(db, { kind, payload: { agentId, filesOf }, maxAttempts: 5 })
    },
  }
}

export function purgeFilesJob(needs: TranscriptsNeeds): JobKind {
  return { kind, run: (task) => purgeFiles(needs, task) }
}

const payloadSchema = z.object({ agentId: z.string(), filesOf: z.string() })

/** Sessions of a new agent with the same name are not deleted. */
async function purgeFiles(needs: TranscriptsNeeds, { payload, signal }: Task): Promise<void> {
  const { db, folder } = needs
  const { agentId, filesOf } = payloadSchema.parse(payload)
  const list = () => listFiles(db, filesOf, fileBatchSize)
  for (let paths = await list(); paths.length > 0; paths = await list()) {
    signal.throwIfAborted()
    for (const path of paths) await rm(join(folder, path), { force: true })
    await deleteFiles(db, filesOf, paths)
  }
  const findRetained = (keys: readonly string[]) => findSessionKeys(db, agentId, keys)
  for await (const harness of listHarnesses(folder)) {
    signal.throwIfAborted()
    await deleteAgentRecords(needs, { agentId, findRetained }, harness)
  }
}
