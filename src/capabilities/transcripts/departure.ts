import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Db } from '../../kernel/db/database.ts'
import type { JobKind, Task } from '../../kernel/jobs/kind.ts'
import { keepOnly, listHarnesses } from './files/transcript-file.ts'
import type { TranscriptsNeeds } from './needs.ts'
import {
  deleteAgentRows,
  deleteFiles,
  findSessionKeys,
  listFiles,
  renameAgent,
  setFilesAside,
} from './store/departure.ts'

const kind = 'transcripts.purge-files'
const filesAtOnce = 200

/** What becomes of an agent's sessions when it goes; part of that transaction. */
export function createDeparture({ host, jobs }: TranscriptsNeeds) {
  /** A sign that no name has keeps the rows from whoever takes the name next. */
  const hide = (agentId: string) => `${agentId}~${host.newId()}`
  return {
    archive: async (db: Db, agentId: string) => {
      await jobs.cancel(db, { agentId })
      await renameAgent(db, agentId, hide(agentId))
    },
    purge: async (db: Db, agentId: string) => {
      const filesOf = hide(agentId)
      await jobs.cancel(db, { agentId })
      await setFilesAside(db, agentId, filesOf)
      await deleteAgentRows(db, agentId)
      // Not as a job of the agent: it outlives it.
      await jobs.enqueue(db, { kind, payload: { agentId, filesOf }, maxAttempts: 5 })
    },
  }
}

export function purgeFilesJob(needs: TranscriptsNeeds): JobKind {
  return { kind, run: (task) => purgeFiles(needs, task) }
}

const payloadOf = z.object({ agentId: z.string(), filesOf: z.string() })

/** An agent of the same name may have come since: what it has kept stays. */
async function purgeFiles(needs: TranscriptsNeeds, { payload, signal }: Task): Promise<void> {
  const { db, folder } = needs
  const { agentId, filesOf } = payloadOf.parse(payload)
  const list = () => listFiles(db, filesOf, filesAtOnce)
  for (let paths = await list(); paths.length > 0; paths = await list()) {
    signal.throwIfAborted()
    for (const path of paths) await rm(join(folder, path), { force: true })
    await deleteFiles(db, filesOf, paths)
  }
  const findKept = (keys: readonly string[]) => findSessionKeys(db, agentId, keys)
  for await (const harness of listHarnesses(folder)) {
    signal.throwIfAborted()
    await keepOnly(needs, { agentId, findKept }, harness)
  }
}
